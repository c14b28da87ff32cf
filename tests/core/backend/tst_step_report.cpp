// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/step_report.h"

#include <cmath>

#include "core/backend/torch_backend.h"
#include "core/run/run_origin.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

using VectorMap = Eigen::Map<const Eigen::VectorXd>;

VectorMap map(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

std::shared_ptr<const StepRecord> secondStep(const Session& session, bool keep) {
  RunRequest request{.prompt = test::tokensOf({5, 17, 3, 40}), .steps = 2};
  request.keepFactors = keep;
  request.ignoreEndOfSequence = true;
  TorchComparison comparison(
      std::shared_ptr<const Session>(std::shared_ptr<const Session>(), &session),
      request);
  SilentProgress silent;
  comparison.prefill(silent);
  comparison.step();
  return comparison.step();
}

const MatrixFactors& find(const LayerFactors& layer, std::string_view weight) {
  const auto found = std::ranges::find(layer.matrices, weight, &MatrixFactors::weight);
  if (found == layer.matrices.end()) throw std::out_of_range(std::string(weight));
  return *found;
}

}  // namespace

class tst_step_report : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void distancesFollowTheFormulas_data();
  void distancesFollowTheFormulas();
  void nanLogitsAreInfinitelyFar();
  void theFirstOfEqualLogitsIsChosen();
  void tokenTextsWithoutTokenizerAreIds();
  void tokenBytesJoinToTheText();
  void choicesCarryProbabilities();
  void layerRecordsComeFromTheDiagnostics();
  void factorsContainAllPartsOfThePatch();
  void factorsAreKeptOnRequestOnly();
  void factorsHaveTheNormsOfTheRecord_data();
  void factorsHaveTheNormsOfTheRecord();
  void patchedGatesGiveTheContextualProduct();
};

void tst_step_report::distancesFollowTheFormulas_data() {
  QTest::addColumn<bool>("wide");
  QTest::newRow("float32") << false;
  QTest::newRow("float64") << true;
}

void tst_step_report::distancesFollowTheFormulas() {
  QFETCH(bool, wide);
  const auto type = wide ? at::kDouble : at::kFloat;
  const Tensor a = at::tensor({1.0, 2.0, -0.5, 0.25}, type);
  const Tensor b = at::tensor({1.5, 1.0, -0.5, 0.0}, type);
  const LogitDistance distance = PassLogits(a, 2).distanceTo(PassLogits(b, 2));
  const Tensor p = at::softmax(a.to(at::kDouble), 0),
               q = at::softmax(b.to(at::kDouble), 0);
  const double tvd = 0.5 * (p - q).abs().sum().item<double>();
  const double kl = (p * (p.log() - q.log())).sum().item<double>();
  QCOMPARE(distance.linf, 1.0);
  QVERIFY(std::abs(distance.tvd - tvd) < 1e-7);
  QVERIFY(std::abs(distance.kl - kl) < 1e-7);
  QCOMPARE(PassLogits(a, 2).argmax(), TokenId(1));
}

void tst_step_report::nanLogitsAreInfinitelyFar() {
  const Tensor a = at::tensor({1.0, 2.0}, at::kFloat);
  const Tensor b = at::tensor({1.0, NAN}, at::kFloat);
  const LogitDistance distance = PassLogits(a, 1).distanceTo(PassLogits(b, 1));
  QVERIFY(std::isinf(distance.linf));
  QCOMPARE(distance.tvd, 1.0);
  QVERIFY(!PassLogits(b, 1).summary().finite);
}

void tst_step_report::theFirstOfEqualLogitsIsChosen() {
  const Tensor logits = at::tensor({0.0, 3.0, 3.0}, at::kFloat);
  QCOMPARE(PassLogits(logits, 1).argmax(), TokenId(1));
  QCOMPARE(PassLogits(logits, 1).choose({}, StepIndex(0)), TokenId(1));
}

void tst_step_report::tokenTextsWithoutTokenizerAreIds() {
  const test::TinySession tiny({});
  QCOMPARE(tokenText(*tiny.session, TokenId(12)), std::string("12"));
  QCOMPARE(tokenBytes(*tiny.session, TokenId(12)), std::string("12 "));
}

void tst_step_report::tokenBytesJoinToTheText() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const auto session = test::openSession({.folder = folder});
  const auto tokens = session->tokenizer().encode("a day\xC3\xA9", SpecialTokens::Omit);
  std::string text;
  for (const Token& token : tokens) text += tokenBytes(*session, token.id);
  QCOMPARE(text, std::string(" a day\xC3\xA9"));
  QCOMPARE(tokenText(*session, TokenId(100000)), std::string("<100000>"));
}

void tst_step_report::choicesCarryProbabilities() {
  const test::TinySession tiny({});
  const PassLogits logits(at::tensor({0.0, 1.0, 2.0}, at::kDouble), 2);
  const Choices choices = choicesOf(*tiny.session, logits);
  QCOMPARE(choices.size(), 2u);
  QCOMPARE(choices[0].id, TokenId(2));
  const double whole = std::exp(0.0) + std::exp(1.0) + std::exp(2.0);
  QVERIFY(std::abs(choices[0].probability - std::exp(2.0) / whole) < 1e-12);
  QVERIFY(std::abs(choices[1].probability - std::exp(1.0) / whole) < 1e-12);
}

void tst_step_report::layerRecordsComeFromTheDiagnostics() {
  PassResults results;
  results.diagnostics.resize(2);
  results.diagnostics[0].record.matrices = {{"gate", 3.0, 0.3}, {"router", 4.0, 0.4}};
  results.diagnostics[0].record.note = "z = 0";
  results.diagnostics[1].record.hiddenError = 2e-3;
  const auto records = layerRecords(results);
  QCOMPARE(records.size(), 2u);
  QVERIFY(records[0] == results.diagnostics[0].record);
  QVERIFY(records[1] == results.diagnostics[1].record);
}

void tst_step_report::factorsContainAllPartsOfThePatch() {
  PassResults results;
  LayerPatch patch;
  patch.matrices = {{{MatrixRole::Up, 3}, {Vector{{1.0, 2.0}}, Vector{{3.0}}}}};
  patch.scale = Vector{{1.5, 0.5}};
  patch.denseScale = Vector{{2.5, 3.5}};
  patch.bias = Vector{{7.0}};
  LayerDiagnostics diagnostics;
  diagnostics.scaleDelta = Vector{{0.5, -0.5}};
  diagnostics.biasDelta = Vector{{6.0}};
  diagnostics.resid_mid = Vector{{0.1}};
  diagnostics.mlp_in = Vector{{0.2}};
  ContextSites context;
  context.resid_mid = Vector{{0.3}};
  context.mlp_in = Vector{{0.4}};
  results.patch = {patch, {}};
  results.diagnostics = {diagnostics, {}};
  results.context = {context, {}};
  const auto factors = patchFactors(results);
  QCOMPARE(factors->size(), 2u);
  const LayerFactors& layer = factors->front();
  QCOMPARE(layer.matrices.size(), 1u);
  QCOMPARE(layer.matrices[0].weight, std::string("experts.3.W_up"));
  QCOMPARE(layer.matrices[0].u, (std::vector<double>{1.0, 2.0}));
  QCOMPARE(layer.matrices[0].w, std::vector<double>{3.0});
  QCOMPARE(layer.scale, (std::vector<double>{1.5, 0.5}));
  QCOMPARE(layer.scaleDelta, (std::vector<double>{0.5, -0.5}));
  QCOMPARE(layer.denseScale, (std::vector<double>{2.5, 3.5}));
  QCOMPARE(layer.bias, std::vector<double>{7.0});
  QCOMPARE(layer.biasDelta, std::vector<double>{6.0});
  QCOMPARE(layer.v, std::vector<double>{0.1});
  QCOMPARE(layer.z, std::vector<double>{0.2});
  QCOMPARE(layer.vContext, std::vector<double>{0.3});
  QCOMPARE(layer.zContext, std::vector<double>{0.4});
  QVERIFY(factors->back().matrices.empty() && factors->back().scale.empty());
}

void tst_step_report::factorsAreKeptOnRequestOnly() {
  const test::TinySession tiny({});
  QVERIFY(!secondStep(*tiny.session, false)->factors);
  QVERIFY(secondStep(*tiny.session, true)->factors);
}

void tst_step_report::factorsHaveTheNormsOfTheRecord_data() {
  QTest::addColumn<QString>("family");
  for (const char* family : {"llama", "gemma2", "gemma3_text", "gpt2", "phi", "olmo2"})
    QTest::newRow(family) << family;
}

void tst_step_report::factorsHaveTheNormsOfTheRecord() {
  QFETCH(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  const auto record = secondStep(*tiny.session, true);
  QCOMPARE(record->factors->size(), record->layers.size());
  for (std::size_t index = 0; index < record->layers.size(); ++index) {
    const LayerRecord& layer = record->layers[index];
    const LayerFactors& factors = (*record->factors)[index];
    for (const MatrixFactors& matrix : factors.matrices) {
      const MatrixPatchNorm* norm = layer.find(matrix.weight.substr(2));
      QVERIFY(norm);
      QVERIFY(std::abs(norm->norm - map(matrix.u).norm() * map(matrix.w).norm()) <=
              1e-12 * norm->norm);
    }
    QVERIFY(!factors.matrices.empty());
    QCOMPARE(map(factors.scaleDelta).norm(), layer.scaleNorm);
    QCOMPARE(map(factors.biasDelta).norm(), layer.biasNorm);
    QCOMPARE(map(factors.z).norm(), layer.zNorm);
    QVERIFY(
        std::abs((map(factors.vContext) - map(factors.v)).norm() / map(factors.v).norm() -
                 layer.effect) < 1e-12);
  }
}

/// Checks (W + u wᵀ) z = W z_C with the model's weights.
void tst_step_report::patchedGatesGiveTheContextualProduct() {
  const test::TinySession tiny({}, DType::F64);
  const auto record = secondStep(*tiny.session, true);
  const Weights& weights = transformerOf(*tiny.session).weights();
  for (std::size_t index = 0; index < record->layers.size(); ++index) {
    const LayerFactors& factors = (*record->factors)[index];
    const Tensor weight = weights.layers[index].mlp.W_gate.weight;
    const auto product = [&](const std::vector<double>& x) {
      return toHost(weight.matmul(at::tensor(x, at::kDouble)));
    };
    const MatrixFactors& gate = find(factors, "W_gate");
    const Vector patched =
        product(factors.z) + map(gate.u) * map(gate.w).dot(map(factors.z));
    const Vector wanted = product(factors.zContext);
    QVERIFY((patched - wanted).norm() < 1e-12 * wanted.norm());
    QVERIFY((product(factors.z) - wanted).norm() > 1e-3 * wanted.norm());
  }
}

EQUIPATCH_TEST(tst_step_report)
#include "tst_step_report.moc"
