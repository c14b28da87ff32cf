#include "core/patch/shared_patch.h"

#include "core/patch/host_vector.h"
#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// A product of a random matrix [5, 8] with three rows.
struct SharedSetting {
  explicit SharedSetting(DType dtype) : arithmetic(dtype, at::kCPU) {
    test::Random random(1);
    const auto options = at::TensorOptions(arithmetic.wide());
    linear.weight = arithmetic.roundAsWeight(toRows(random.matrix(8, 5), options))
                        .to(arithmetic.storage());
    linear.bias = toTensor(random.vector(5), options);
    input = toRows(random.matrix(8, 3), options);
  }

  Product product(MatrixRole role = MatrixRole::Gate) const {
    return {{role}, linear, input, arithmetic.product(input, linear), {}};
  }

  Arithmetic arithmetic;
  Linear linear;
  Tensor input;
};

double distance(const Tensor& a, const Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace

class tst_shared_patch : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyRowGetsThePatchedMatrix();
  void materialisedIsTheProductWithTheStoredMatrix();
  void theDownProductComesWithoutItsBias();
  void aTokensPatchIsOneForSeveral();
};

void tst_shared_patch::everyRowGetsThePatchedMatrix() {
  const SharedSetting setting(DType::F64);
  test::Random random(2);
  const LowRank change(random.matrix(5, 2), random.matrix(8, 2));
  Product product = setting.product();
  applyToAllRows(change, product, Application::Factored, setting.arithmetic);
  const Eigen::MatrixXd W = hostColumns(setting.linear.weight).transpose();
  const Eigen::MatrixXd formed = W + change.U * change.V.transpose();
  const Columns expected =
      (formed * hostColumns(setting.input)).colwise() + toHost(setting.linear.bias);
  QVERIFY((hostColumns(product.output) - expected).norm() < 1e-13);
}

void tst_shared_patch::materialisedIsTheProductWithTheStoredMatrix() {
  const SharedSetting setting(DType::BF16);
  test::Random random(3);
  const LowRank change(random.matrix(5, 2), random.matrix(8, 2));
  Product factored = setting.product(), stored = setting.product();
  applyToAllRows(change, factored, Application::Factored, setting.arithmetic);
  applyToAllRows(change, stored, Application::Materialised, setting.arithmetic);
  const auto wide = at::TensorOptions(at::kFloat);
  const Tensor formed = (setting.linear.weight.to(at::kFloat) +
                         at::mm(toRows(change.U, wide).t(), toRows(change.V, wide)))
                            .to(at::kBFloat16);
  const Tensor expected =
      at::mm(setting.input, formed.to(at::kFloat).t()) + setting.linear.bias;
  QVERIFY(distance(stored.output, expected) < 1e-4);
  QVERIFY(distance(stored.output, factored.output) > 1e-3);  // rounding is seen
}

void tst_shared_patch::theDownProductComesWithoutItsBias() {
  const SharedSetting setting(DType::F64);
  const LowRank none(Columns::Zero(5, 1), Columns::Zero(8, 1));
  Product first = setting.product(), last = setting.product(MatrixRole::Down);
  applyToAllRows(none, first, Application::Materialised, setting.arithmetic);
  applyToAllRows(none, last, Application::Materialised, setting.arithmetic);
  QVERIFY(distance(first.output - last.output,
                   setting.linear.bias.expand_as(first.output)) < 1e-13);
}

void tst_shared_patch::aTokensPatchIsOneForSeveral() {
  test::Random random(4);
  Patch patch(2);
  const MatrixId gate{MatrixRole::Gate}, down{MatrixRole::Down};
  patch[1].matrices = {{gate, {random.vector(5), random.vector(8)}}};
  patch[1].scale = random.vector(8);
  const SharedPatch shared = sharedPatch(patch);
  QCOMPARE(shared.size(), 2u);
  QVERIFY(shared[0].matrices.empty() && !shared[0].scale && !shared[0].bias);
  QVERIFY(*shared[1].scale == *patch[1].scale);
  QVERIFY(!shared[1].find(down));
  const Vector x = random.vector(8);
  QVERIFY((shared[1].find(gate)->times(x) - patch[1].matrices[0].change.times(x)).norm() <
          1e-13);
}

EQUIPATCH_TEST(tst_shared_patch)
#include "tst_shared_patch.moc"
