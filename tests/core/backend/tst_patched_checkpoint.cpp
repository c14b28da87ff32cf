// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <QTemporaryDir>
#include <cmath>
#include <fstream>

#include "core/base/json.h"
#include "core/checkpoint/checkpoint.h"
#include "core/run/run_origin.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/full_disk.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::tokensOf;

namespace {

const std::vector<std::int64_t> kText{5, 17, 3, 40, 22, 8, 31, 12, 9};

std::shared_ptr<const Session> open(const std::filesystem::path& folder, DType dtype) {
  return test::openSession({.folder = folder, .dtype = dtype});
}

void save(const Session& session, const PatchFactors& factors,
          const std::filesystem::path& folder, std::int64_t first, std::int64_t tokens) {
  SilentProgress silent;
  savePatched({.original = session.checkpoint(),
               .factors = factors,
               .dtype = session.dtype(),
               .firstPosition = first,
               .tokens = tokens,
               .note = "what for"},
              folder, silent);
}

std::shared_ptr<const StepRecord> firstStep(const std::shared_ptr<const Session>& session,
                                            Application application) {
  TorchComparison comparison(session, {.prompt = tokensOf(kText),
                                       .steps = 1,
                                       .patch = {.application = application},
                                       .keepFactors = true,
                                       .topChoices = 40});
  SilentProgress silent;
  comparison.prefill(silent);
  return comparison.step();
}

/// Compares the logits of `choices` with the session's logits after `ids`.
/// @returns the largest difference; infinite if a logit is NaN
double worst(const Session& session, const std::vector<TokenId>& ids,
             const Choices& choices) {
  const NamedTensor logits = computeLogits(session, ids, SiteCapture::LogitsOnly).front();
  const auto last = std::size_t(logits.shape[0] - 1) * std::size_t(logits.shape[1]);
  double largest = 0.0;
  for (const Choice& choice : choices) {
    const double own = logits.values[last + std::size_t(choice.id.value)];
    const double difference = std::abs(own - choice.logit);
    if (std::isnan(difference)) return HUGE_VAL;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace

class tst_patched_checkpoint : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void tokenWithoutContextGivesContextualLogits_data();
  void tokenWithoutContextGivesContextualLogits();
  void storedWeightsGiveThePatchedPass();
  void tokensWithoutContextGiveContextualLogits();
  void changesOnlyPatchedTensors();
  void savesTheDtypeButCopiesNoOldWeights();
  void refusesFoldersThatAreNotEmpty();
  void stoppingLeavesNoWeightFile();
  void patchesThatDoNotFitAreRefused();
  void errorNamesTheFileThatCannotBeCopied();

 private:
  std::filesystem::path newFolder() {
    return m_folder.filePath(QString("saved%1").arg(m_count++)).toStdString();
  }

  QTemporaryDir m_folder;
  int m_count = 0;
};

void tst_patched_checkpoint::initTestCase_data() {
  QTest::addColumn<QString>("family");
  for (const char* family :
       {"llama", "gemma3_text", "gpt2", "openai-gpt", "gpt_neox", "gptj", "phi", "cohere",
        "olmo2", "mixtral", "qwen2_moe", "gpt_oss", "gemma4_text", "qwen3_5_text",
        "gemma4_mixture", "qwen3_5_moe_text"})
    QTest::newRow(family) << family;
}

void tst_patched_checkpoint::tokenWithoutContextGivesContextualLogits_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("float64") << "float64" << 1e-5;  // computeLogits gives float32
  QTest::newRow("float32") << "float32" << 2e-4;
}

void tst_patched_checkpoint::tokenWithoutContextGivesContextualLogits() {
  QFETCH_GLOBAL(QString, family);
  QFETCH(QString, dtype);
  QFETCH(double, tolerance);
  const DType type = *dtypeFromTorchName(dtype.toStdString());
  const test::TinySession tiny({.family = family.toStdString()}, type);
  const auto step = firstStep(tiny.session, Application::Materialised);
  const auto folder = newFolder();
  save(*tiny.session, *step->factors, folder, step->position.value, 1);
  const auto saved = open(folder, type);
  QVERIFY(worst(*saved, {step->x}, step->contextual) < tolerance);
  QVERIFY(worst(*saved, {TokenId(23)}, step->contextual) > 10 * tolerance);
  if (!tiny.session->spec().learnedPositions)
    QVERIFY(worst(*tiny.session, {step->x}, step->contextual) > 1e-2);
}

void tst_patched_checkpoint::storedWeightsGiveThePatchedPass() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::BF16);
  const auto step = firstStep(tiny.session, Application::Materialised);
  const auto folder = newFolder();
  save(*tiny.session, *step->factors, folder, step->position.value, 1);
  const auto saved = open(folder, DType::BF16);
  QVERIFY(worst(*saved, {step->x}, step->patched) < 5e-2);
  QVERIFY(worst(*saved, {step->x}, step->bare) > 5e-2);
}

void tst_patched_checkpoint::tokensWithoutContextGiveContextualLogits() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  SilentProgress silent;
  const SharedPatchRecord record =
      makeSharedPatch(tiny.session,
                      {.prompt = tokensOf(kText),
                       .first = 5,
                       .last = 8,
                       .application = Application::Materialised},
                      silent);
  const auto folder = newFolder();
  save(*tiny.session, record.factors, folder, 5, 4);
  const auto saved = open(folder, DType::F64);
  std::vector<TokenId> ids;
  QCOMPARE(record.tokens.size(), 4u);
  for (const SharedTokenRecord& token : record.tokens) {
    ids.push_back(token.x);
    QVERIFY(worst(*saved, ids, {token.contextual}) < 1e-5);
  }
}

void tst_patched_checkpoint::changesOnlyPatchedTensors() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F32);
  const auto step = firstStep(tiny.session, Application::Materialised);
  const auto folder = newFolder();
  save(*tiny.session, *step->factors, folder, step->position.value, 1);
  std::set<std::string> patched;
  for (const PatchedParameter& parameter : patchedParameters(*tiny.session))
    patched.insert(parameter.tensor);
  if (tiny.session->checkpoint().has("positions"))
    patched.insert(tiny.session->checkpoint().weight("positions").name);
  const SafetensorsFile before = tiny.session->checkpoint().files().front();
  const SafetensorsFile after = SafetensorsFile::open(folder / "model.safetensors");
  QCOMPARE(after.tensors().size(), before.tensors().size());
  std::size_t changed = 0;
  for (const auto& [name, tensor] : before.tensors()) {
    const TensorView& other = after.tensors().at(name);
    QCOMPARE(other.shape, tensor.shape);
    if (tensor.dtype != DType::F32) continue;  // the copy is converted to float32
    const bool same = std::equal(tensor.bytes.begin(), tensor.bytes.end(),
                                 other.bytes.begin(), other.bytes.end());
    QVERIFY2(same || patched.count(name) > 0, name.c_str());
    changed += same ? 0 : 1;
  }
  QVERIFY(changed > 0);
}

void tst_patched_checkpoint::savesTheDtypeButCopiesNoOldWeights() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::BF16);
  std::ofstream(tiny.session->folder() / "generation_config.json") << "{}";
  // GPT-2's repository on the hub has such files.
  const auto weights = {"pytorch_model.bin", "rust_model.ot", "64-fp16.tflite"};
  for (const char* name : weights)
    std::ofstream(tiny.session->folder() / name) << "old weights";
  const auto step = firstStep(tiny.session, Application::Factored);
  const auto folder = newFolder();
  save(*tiny.session, *step->factors, folder, step->position.value, 1);
  QCOMPARE(Checkpoint::open(folder).spec().storedDType, DType::BF16);
  QVERIFY(std::filesystem::exists(folder / "generation_config.json"));
  for (const char* name : weights)
    QVERIFY2(!std::filesystem::exists(folder / name), name);
}

void tst_patched_checkpoint::refusesFoldersThatAreNotEmpty() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F32);
  const auto step = firstStep(tiny.session, Application::Factored);
  const auto folder = newFolder();
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "notes.txt") << "mine";
  QVERIFY_ERROR(save(*tiny.session, *step->factors, folder, 8, 1), "is not empty");
  QVERIFY_ERROR(save(*tiny.session, *step->factors, folder / "notes.txt", 8, 1),
                "the folder cannot be made");
  QVERIFY(!std::filesystem::exists(folder / "model.safetensors"));
}

void tst_patched_checkpoint::stoppingLeavesNoWeightFile() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F32);
  const auto step = firstStep(tiny.session, Application::Factored);
  const auto folder = newFolder();
  test::StoppedProgress stopped;
  QVERIFY_ERROR(
      savePatched(
          {.original = tiny.session->checkpoint(), .factors = *step->factors, .note = {}},
          folder, stopped),
      "stopped");
  QVERIFY(!std::filesystem::exists(folder / "model.safetensors"));
}

/// A hostile run file may hold such patches.
void tst_patched_checkpoint::patchesThatDoNotFitAreRefused() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F32);
  const auto step = firstStep(tiny.session, Application::Factored);
  const auto folder = newFolder();
  const auto refused = [&](PatchFactors factors, std::int64_t first = 0) {
    QVERIFY_ERROR(save(*tiny.session, factors, folder, first, 1),
                  "which the model does not have");
    QVERIFY(!std::filesystem::exists(folder));
  };
  PatchFactors factors = *step->factors;
  factors.back().matrices.back().u.push_back(0.0);
  refused(factors);
  factors = *step->factors;
  factors.front().matrices.front().weight = "W_none";
  refused(factors);
  factors = *step->factors;
  factors.emplace_back(factors.front());  // one layer more than the model has
  refused(factors);
  if (tiny.session->checkpoint().has("positions"))
    refused(*step->factors, std::int64_t{1} << 62);
}

void tst_patched_checkpoint::errorNamesTheFileThatCannotBeCopied() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F32);
  const auto step = firstStep(tiny.session, Application::Factored);
  const std::filesystem::path& original = tiny.session->folder();
  const auto size = std::filesystem::file_size(original / "model.safetensors");
  std::ofstream(original / "notes.txt") << std::string(2 * size + 1, 'x');
  const test::FullDisk disk(2 * size);
  QVERIFY_ERROR(save(*tiny.session, *step->factors, newFolder(), 8, 1),
                "notes.txt cannot be copied here", "raise the limit");
}

EQUIPATCH_TEST(tst_patched_checkpoint)
#include "tst_patched_checkpoint.moc"
