#include "core/toy/mlp.h"

#include "core/toy/initial_values.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_mlp : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTheFormula();
  void rowsMayHaveMatricesOfTheirOwn();
};

void tst_mlp::equalsTheFormula() {
  Random random(1);
  Mlp mlp({.inputs = 5, .hidden = 9, .outputs = 2}, random, at::kDouble);
  const at::NoGradGuard noGradients;
  mlp.b_in.copy_(normalDraws(random, {9}, at::kDouble));
  mlp.b_down.copy_(normalDraws(random, {2}, at::kDouble));
  const Tensor z = normalDraws(random, {3, 5}, at::kDouble);
  const Tensor out = mlp.forward(z);
  using test::toEigen;
  for (std::int64_t row = 0; row < 3; ++row) {
    const Eigen::MatrixXd h =
        (toEigen(mlp.W_in) * toEigen(z[row]) + toEigen(mlp.b_in)).cwiseMax(0.0);
    QVERIFY(test::difference(toEigen(out[row]),
                             toEigen(mlp.W_down) * h + toEigen(mlp.b_down)) < 1e-13);
  }
}

void tst_mlp::rowsMayHaveMatricesOfTheirOwn() {
  Random random(2);
  Mlp mlp({.inputs = 5, .hidden = 9, .outputs = 2}, random, at::kDouble);
  const at::NoGradGuard noGradients;
  const Tensor z = normalDraws(random, {3, 5}, at::kDouble);
  const Tensor own = normalDraws(random, {3, 9, 5}, at::kDouble);
  const Tensor out = mlp.forwardWith(own, z);
  for (std::int64_t row = 0; row < 3; ++row) {
    mlp.W_in.copy_(own[row]);
    QVERIFY(out[row].allclose(mlp.forward(z[row]), 0, 1e-14));
  }
}

EQUIPATCH_TEST(tst_mlp)
#include "tst_mlp.moc"
