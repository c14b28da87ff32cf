// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_origin.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <cstring>
#include <set>

#include "core/checkpoint/checkpoint.h"
#include "core/patch/planner.h"
#include "core/run/backend.h"
#include "core/run/session.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

Provenance goldenProvenance(const char* name) {
  SilentProgress silent;
  return provenanceOf(
      *Session::open({.folder = test::data(std::string("golden/") + name)}, silent));
}

std::string digest(const QByteArray& bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256)
      .toHex()
      .toStdString();
}

std::set<std::string> namesOf(const std::vector<PatchedParameter>& parameters) {
  std::set<std::string> names;
  for (const PatchedParameter& parameter : parameters) names.insert(parameter.name);
  return names;
}

PatchedParameter find(const Session& session, const std::string& name) {
  for (const PatchedParameter& parameter : patchedParameters(session))
    if (parameter.name == name) return parameter;
  return {};
}

}  // namespace

class tst_run_origin : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void hashesTheCheckpoint();
  void hashesTheConfigThatWasLoaded();
  void namesProgramAndMachine();
  void differencesOfProvenanceAreNamed();
  void parametersThatPatchesChangeAreListed_data();
  void parametersThatPatchesChangeAreListed();
  void parametersHaveTheTensorNamesOfTheFile();
  void parametersHaveHuggingFaceModuleNames();
};

void tst_run_origin::hashesTheCheckpoint() {
  const Provenance provenance = goldenProvenance("mixtral");
  const auto read = [](const char* file) {
    QFile opened(QString::fromStdString((test::data("golden/mixtral") / file).string()));
    if (!opened.open(QIODevice::ReadOnly)) return QByteArray();
    return opened.readAll();
  };
  QCOMPARE(provenance.configSha256, digest(read("config.json")));
  QCOMPARE(provenance.tensorFiles.size(), 2u);
  QCOMPARE(provenance.tensorFiles[1].file,
           std::string("model-00002-of-00002.safetensors"));
  const QByteArray file = read("model-00002-of-00002.safetensors");
  quint64 length = 0;
  std::memcpy(&length, file.constData(), sizeof length);
  QCOMPARE(provenance.tensorFiles[1].headerSha256,
           digest(file.mid(8, qsizetype(length))));
  QCOMPARE(provenance.tensorFiles[1].dataSampleSha256,
           digest(file.mid(8 + qsizetype(length))));
}

/// A user may delete or replace the model's folder while the model is loaded.
void tst_run_origin::hashesTheConfigThatWasLoaded() {
  const QTemporaryDir copy;
  const std::filesystem::path folder = copy.path().toStdString();
  for (const char* file : {"config.json", "model.safetensors"})
    std::filesystem::copy(test::data("golden/gpt2") / file, folder / file);
  SilentProgress silent;
  const auto session = Session::open({.folder = folder}, silent);
  const std::string hash = provenanceOf(*session).configSha256;
  std::filesystem::remove_all(folder);
  QCOMPARE(provenanceOf(*session).configSha256, hash);
}

void tst_run_origin::namesProgramAndMachine() {
  useThreads(1);
  const Provenance provenance = goldenProvenance("gpt2");
  QCOMPARE(provenance.program, std::string(EQUIPATCH_VERSION));
  QVERIFY(!provenance.torch.empty());
  QCOMPARE(provenance.threads, 1);
  const auto start =
      QDateTime::fromString(QString::fromStdString(provenance.startTime), Qt::ISODate);
  QCOMPARE(start.timeSpec(), Qt::UTC);
  QVERIFY(std::abs(start.secsTo(QDateTime::currentDateTimeUtc())) < 600);
}

void tst_run_origin::differencesOfProvenanceAreNamed() {
  const Provenance then{.program = "0.1.0",
                        .torch = "1.13.0",
                        .processor = "A",
                        .threads = 2,
                        .startTime = "2026-01-01T00:00:00Z",
                        .configSha256 = "aa",
                        .tensorFiles = {{"x.safetensors", "bb"}}};
  Provenance now = then;
  now.startTime = "2026-02-02T00:00:00Z";
  QVERIFY(differences(then, now).empty());
  now.configSha256 = "ab";
  now.tensorFiles[0].headerSha256 = "bc";
  now.threads = 6;
  now.torch = "2.1.0";
  QCOMPARE(differences(then, now),
           (std::vector<std::string>{"config.json differs",
                                     "x.safetensors has a different header",
                                     "libtorch 2.1.0 instead of 1.13.0",
                                     "the number of threads is 6 instead of 2"}));
  now.tensorFiles.clear();
  QVERIFY(differences(then, now)[1].starts_with("0 tensor files instead of 1"));
}

void tst_run_origin::parametersThatPatchesChangeAreListed_data() {
  QTest::addColumn<QString>("name");
  for (const std::string& name : test::goldenNames())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void tst_run_origin::parametersThatPatchesChangeAreListed() {
  QFETCH(QString, name);
  const auto session = test::goldenSession(qPrintable(name), std::nullopt);
  RunRequest request{.prompt = test::tokensOf({5, 17, 3, 40}), .steps = 1};
  request.keepFactors = true;
  const auto comparison = backend().makeComparison(session, request);
  SilentProgress silent;
  comparison->prefill(silent);
  const auto record = comparison->step();
  const auto parameters = comparison->header().parameters;
  const auto has = [&](std::size_t layer, const std::string& weight,
                       const std::vector<std::int64_t>& shape) {
    return std::ranges::any_of(parameters, [&](const PatchedParameter& parameter) {
      return parameter.name == layerWeight(std::int64_t(layer), weight) &&
             parameter.shape == shape;
    });
  };
  std::int64_t changes = 0, elements = 0;
  for (std::size_t layer = 0; layer < record->factors->size(); ++layer) {
    const LayerFactors& factors = (*record->factors)[layer];
    for (const MatrixFactors& matrix : factors.matrices) {
      QVERIFY2(has(layer, matrix.weight,
                   {std::int64_t(matrix.u.size()), std::int64_t(matrix.w.size())}),
               matrix.weight.c_str());
      elements += std::ssize(matrix.u) + std::ssize(matrix.w);
      ++changes;
    }
    elements += std::ssize(factors.scale) + std::ssize(factors.bias);
    if (!factors.scale.empty())
      QVERIFY(has(layer, "mlp_post_norm", {std::int64_t(factors.scale.size())}));
    if (!factors.bias.empty())
      QVERIFY(has(layer, "b_down", {std::int64_t(factors.bias.size())}));
  }
  QVERIFY(changes > 0);
  QCOMPARE(elements, planPatch(session->spec()).size.factors);
}

void tst_run_origin::parametersHaveTheTensorNamesOfTheFile() {
  const auto gemma = test::goldenSession("gemma3_text", std::nullopt);
  const PatchedParameter scale = find(*gemma, "layers.1.mlp_post_norm");
  QCOMPARE(scale.tensor, std::string("model.layers.1.post_feedforward_layernorm.weight"));
  QVERIFY(scale.storedMinusOne);
  const auto mixtral = test::goldenSession("mixtral", std::nullopt);
  QCOMPARE(find(*mixtral, "layers.0.experts.2.W_down").tensor,
           std::string("model.layers.0.block_sparse_moe.experts.2.w2.weight"));
  QCOMPARE(find(*mixtral, "layers.0.W_router").tensor,
           std::string("model.layers.0.block_sparse_moe.gate.weight"));
  // In GPT-2's block the patch changes the bias b_down instead of W_down.
  const auto gpt2 = test::goldenSession("gpt2", std::nullopt);
  const auto names = namesOf(patchedParameters(*gpt2));
  QVERIFY(names.contains("layers.0.W_in") && names.contains("layers.0.b_down"));
  QVERIFY(!names.contains("layers.0.W_down"));
  QVERIFY(find(*gpt2, "layers.0.W_in").part.transposed);
  for (const PatchedParameter& parameter : patchedParameters(*gpt2))
    QVERIFY(gpt2->checkpoint().files().front().tensors().contains(parameter.tensor));
}

/// A file saved from GPT2Model names its tensors without the prefix "transformer." that
/// the parameters of GPT2LMHeadModel have.
void tst_run_origin::parametersHaveHuggingFaceModuleNames() {
  const auto gpt2 = test::goldenSession("gpt2", std::nullopt);
  QCOMPARE(find(*gpt2, "layers.1.b_down").module,
           std::string("transformer.h.1.mlp.c_proj.bias"));
  const auto llama = test::goldenSession("llama2_gqa", std::nullopt);
  QCOMPARE(find(*llama, "layers.1.W_up").module,
           std::string("model.layers.1.mlp.up_proj.weight"));

  const QTemporaryDir place;
  const std::filesystem::path folder = place.path().toStdString();
  const auto original = test::data("golden/gpt2");
  std::filesystem::copy_file(original / "config.json", folder / "config.json");
  QFile whole(QString::fromStdString((original / "model.safetensors").string()));
  QVERIFY(whole.open(QIODevice::ReadOnly));
  QByteArray bytes = whole.readAll();
  quint64 length = 0;
  std::memcpy(&length, bytes.constData(), sizeof length);
  QByteArray header = bytes.mid(8, qsizetype(length));
  header.replace("\"transformer.", "\"");
  bytes.replace(8, qsizetype(length), header.leftJustified(qsizetype(length), ' '));
  QFile body(place.filePath("model.safetensors"));
  QVERIFY(body.open(QIODevice::WriteOnly) && body.write(bytes) == bytes.size());
  body.close();
  SilentProgress silent;
  const auto session = Session::open({.folder = folder / ""}, silent);
  QCOMPARE(headerOf(*session, {}).modelFolder, folder.string());  // without the slash
  const PatchedParameter bias = find(*session, "layers.1.b_down");
  QCOMPARE(bias.tensor, std::string("h.1.mlp.c_proj.bias"));
  QCOMPARE(bias.module, std::string("transformer.h.1.mlp.c_proj.bias"));
}

EQUIPATCH_TEST(tst_run_origin)
#include "tst_run_origin.moc"
