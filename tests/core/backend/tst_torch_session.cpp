// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/checkpoint/safetensors.h"
#include "tests/core/backend/steps_of.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/largest_difference.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::vector<float> floats(const SafetensorsFile& file, const std::string& name) {
  const TensorView& view = file.tensors().at(name);
  std::vector<float> values(static_cast<std::size_t>(view.elements()));
  std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return values;
}

std::vector<TokenId> inputIds(const SafetensorsFile& file,
                              const std::string& name = "input_ids") {
  const TensorView& view = file.tensors().at(name);
  std::vector<std::int64_t> values(static_cast<std::size_t>(view.elements()));
  std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return {values.begin(), values.end()};
}

std::shared_ptr<const Session> open(const std::filesystem::path& folder) {
  return test::openSession({.folder = folder, .dtype = DType::F32});
}

std::shared_ptr<const Session> session(const char* name) {
  return open(test::data(name));
}

std::unique_ptr<Comparison> prefilled(const test::TinySession& tiny) {
  auto comparison = backend().makeComparison(
      tiny.session,
      {.prompt = test::tokensOf({1, 2}), .steps = 3, .ignoreEndOfSequence = true});
  SilentProgress silent;
  comparison->prefill(silent);
  return comparison;
}

}  // namespace

class tst_torch_session : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void holdsTheModelInItsDtype();
  void sixteenBitModelsCanComputeInFloat32();
  void sitesAreNamedAndEqualTheReference();
  void trainedModelsEqualTheirReference_data();
  void trainedModelsEqualTheirReference();
  void logitsAreComputedWithoutSites();
  void invalidRequestsAreRefused();
  void logitsStopOnRequest();
  void mappedAndResidentWeightsGiveEqualRuns_data();
  void mappedAndResidentWeightsGiveEqualRuns();
  void aStepCanBeStoppedBetweenItsLayers();
  void aResumptionCanBeStoppedBetweenItsLayers();
};

void tst_torch_session::holdsTheModelInItsDtype() {
  const test::TinySession tiny({}, DType::F64);
  const Transformer& transformer = transformerOf(*tiny.session);
  QVERIFY(transformer.arithmetic().dtype() == DType::F64);
  QCOMPARE(transformer.spec().layerCount(), tiny.session->spec().layerCount());
}

void tst_torch_session::sixteenBitModelsCanComputeInFloat32() {
  using test::Computing;
  const auto opened = [](DType dtype, Computing computing) {
    return test::TinySession({}, dtype, computing).session;
  };
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16}) {
    const bool narrow = dtype == DType::BF16 || dtype == DType::F16;
    QVERIFY(!opened(dtype, Computing::Native)->computesFloat32());
    const auto session = opened(dtype, Computing::Float32);
    QCOMPARE(session->computesFloat32(), narrow);
    QVERIFY(!transformerOf(*session).arithmetic().rounds());
  }
}

void tst_torch_session::sitesAreNamedAndEqualTheReference() {
  const auto file =
      SafetensorsFile::open(test::data("golden/gemma3_text/golden.safetensors"));
  std::map<std::string, NamedTensor> found;
  for (NamedTensor& tensor : computeLogits(*session("golden/gemma3_text"), inputIds(file),
                                           SiteCapture::AllSites))
    found[tensor.name] = tensor;
  QCOMPARE(found.size(), 1u + 5u * 7u);
  QCOMPARE(found["logits"].shape, (std::vector<std::int64_t>{24, 192}));
  QVERIFY(test::largestDifference(found["logits"].values, floats(file, "logits")) < 1e-4);
  for (int layer = 0; layer < 7; ++layer) {
    const std::string suffix = "." + std::to_string(layer);
    QVERIFY(test::largestDifference(found["resid_pre" + suffix].values,
                                    floats(file, "hidden_states" + suffix)) < 1e-4);
    QVERIFY(test::largestDifference(found["attn_out" + suffix].values,
                                    floats(file, "attn_out" + suffix)) < 1e-4);
    QVERIFY(test::largestDifference(found["mlp_out" + suffix].values,
                                    floats(file, "mlp_out" + suffix)) < 1e-4);
    if (layer > 0)
      QCOMPARE(found["resid_post." + std::to_string(layer - 1)].values,
               found["resid_pre" + suffix].values);
  }
}

void tst_torch_session::trainedModelsEqualTheirReference_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QString>("run");
  QTest::addColumn<QString>("logits");
  for (const char* run : {"p0", "p1", "p2", "p3"})
    QTest::addRow("stories260K %s", run) << "stories260K" << run << "logits_runc";
  for (const char* run : {"p0", "p1", "p2"})
    QTest::addRow("gemma3 %s", run) << "gemma3_frankenstein" << run << "logits";
}

/// The references are logits of llama2.c for stories260K and of transformers for Gemma 3.
void tst_torch_session::trainedModelsEqualTheirReference() {
  QFETCH(QString, model);
  QFETCH(QString, run);
  QFETCH(QString, logits);
  EXTRA_DATA_OR_SKIP(models, "models");
  const std::filesystem::path folder = models / model.toStdString();
  const auto file = SafetensorsFile::open(folder / "golden.safetensors");
  const auto wanted = floats(file, run.toStdString() + "." + logits.toStdString());
  const auto session = open(folder);
  const auto count = wanted.size() / static_cast<std::size_t>(session->spec().vocabulary);
  std::vector<TokenId> ids = inputIds(file, run.toStdString() + ".tokens");
  ids.resize(count);
  const auto tensors = computeLogits(*session, ids, SiteCapture::LogitsOnly);
  QVERIFY(test::largestDifference(tensors[0].values, wanted) < 1e-4);
}

void tst_torch_session::logitsAreComputedWithoutSites() {
  const std::vector<TokenId> ids{TokenId(1), TokenId(2)};
  const auto tensors =
      computeLogits(*session("golden/llama2_gqa"), ids, SiteCapture::LogitsOnly);
  QCOMPARE(tensors.size(), 1u);
  QCOMPARE(tensors[0].name, std::string("logits"));
  QCOMPARE(tensors[0].values.size(), 2u * 192u);
}

void tst_torch_session::invalidRequestsAreRefused() {
  const auto llama = session("golden/llama2_gqa");
  const auto compute = [&](const std::vector<TokenId>& ids) {
    computeLogits(*llama, ids, SiteCapture::LogitsOnly);
  };
  QVERIFY_ERROR(compute({}), "at least one");
  QVERIFY_ERROR(compute({TokenId(192)}), "192");
  QVERIFY_ERROR(compute(std::vector<TokenId>(129, TokenId(1))), "129", "128");
}

void tst_torch_session::logitsStopOnRequest() {
  const auto llama = session("golden/llama2_gqa");
  const std::vector<TokenId> ids(100, TokenId(1));
  test::Patience whole;
  const auto compute = [&](Progress& progress) {
    return computeLogits(*llama, ids, SiteCapture::LogitsOnly, {}, progress);
  };
  QCOMPARE(compute(whole).front().values.size(), 100u * 192u);
  QVERIFY(whole.asked > llama->spec().layerCount());
  QVERIFY(std::ranges::is_sorted(whole.fractions));
  QCOMPARE(whole.labels.back(), std::string("Computing the logits"));
  for (const int checks : {0, 2, whole.asked - 1}) {
    test::Patience progress(checks);
    QVERIFY_ERROR(compute(progress), "stopped on request");
  }
}

void tst_torch_session::mappedAndResidentWeightsGiveEqualRuns_data() {
  QTest::addColumn<QString>("name");
  for (const std::string& name : test::goldenNames())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void tst_torch_session::mappedAndResidentWeightsGiveEqualRuns() {
  QFETCH(QString, name);
  const auto steps = [&](DType dtype, WeightPlace place) {
    const auto session =
        test::openSession({.folder = test::data("golden/" + name.toStdString()),
                           .dtype = dtype,
                           .place = place});
    return test::stepsOf(session, {.prompt = test::tokensOf({5, 17, 3}), .steps = 3});
  };
  for (const DType dtype : {DType::F32, DType::BF16, DType::F16}) {
    const auto resident = steps(dtype, WeightPlace::Resident);
    const auto mapped = steps(dtype, WeightPlace::Mapped);
    QCOMPARE(resident.size(), mapped.size());
    for (std::size_t step = 0; step < resident.size(); ++step)
      QVERIFY(sameResults(*resident[step], *mapped[step]));
  }
}

void tst_torch_session::aStepCanBeStoppedBetweenItsLayers() {
  const test::TinySession tiny({.layers = 5});
  const auto comparison = prefilled(tiny);
  comparison->step();
  test::Patience oneLayer(1);
  QVERIFY_ERROR(comparison->step(oneLayer), "stopped");
  QCOMPARE(oneLayer.asked, 2);
}

void tst_torch_session::aResumptionCanBeStoppedBetweenItsLayers() {
  const test::TinySession tiny({.layers = 5});
  const auto comparison = prefilled(tiny);
  test::Patience oneLayer(3);  // checks of run, pass and layer
  QVERIFY_ERROR(comparison->resume({TokenId(3), TokenId(4)}, oneLayer), "stopped");
  QCOMPARE(oneLayer.asked, 4);
  QCOMPARE(oneLayer.labels.front(), std::string("Recomputing the context"));
}

EQUIPATCH_TEST(tst_torch_session)
#include "tst_torch_session.moc"
