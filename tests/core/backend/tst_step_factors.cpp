#include "core/backend/step_factors.h"

#include "core/backend/torch_comparison.h"
#include "core/backend/torch_session.h"
#include "core/run/run_origin.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

using Plain = Eigen::Map<const Eigen::VectorXd>;

Plain map(const std::vector<double>& values) {
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

const MatrixFactors& find(const LayerFactors& layer, const std::string& weight) {
  const auto found = std::ranges::find(layer.matrices, weight, &MatrixFactors::weight);
  if (found == layer.matrices.end()) throw std::out_of_range(weight);
  return *found;
}

}  // namespace

class tst_step_factors : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void convertsEveryPart();
  void areLeftOutUnlessAskedFor();
  void haveTheNormsOfTheRecord_data();
  void haveTheNormsOfTheRecord();
  void inProjectionsMoveZToItsContextualProduct();
};

void tst_step_factors::convertsEveryPart() {
  PassResults results;
  LayerPatch patch;
  patch.matrices = {{{MatrixRole::Up, 3}, {Vector{{1.0, 2.0}}, Vector{{3.0}}}}};
  patch.scale = Vector{{1.5, 0.5}};
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
  QCOMPARE(layer.bias, std::vector<double>{7.0});
  QCOMPARE(layer.biasDelta, std::vector<double>{6.0});
  QCOMPARE(layer.v, std::vector<double>{0.1});
  QCOMPARE(layer.z, std::vector<double>{0.2});
  QCOMPARE(layer.vContext, std::vector<double>{0.3});
  QCOMPARE(layer.zContext, std::vector<double>{0.4});
  QVERIFY(factors->back().matrices.empty() && factors->back().scale.empty());
}

void tst_step_factors::areLeftOutUnlessAskedFor() {
  const test::TinySession tiny({});
  QVERIFY(!secondStep(*tiny.session, false)->factors);
  QVERIFY(secondStep(*tiny.session, true)->factors);
}

void tst_step_factors::haveTheNormsOfTheRecord_data() {
  QTest::addColumn<QString>("family");
  for (const char* family : {"llama", "gemma2", "gemma3_text", "gpt2", "phi", "olmo2"})
    QTest::newRow(family) << family;
}

void tst_step_factors::haveTheNormsOfTheRecord() {
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

/// (W + u wᵀ) z = W z_C, with the weights of the model itself.
void tst_step_factors::inProjectionsMoveZToItsContextualProduct() {
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

EQUIPATCH_TEST(tst_step_factors)
#include "tst_step_factors.moc"
