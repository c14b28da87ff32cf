#include "core/toy/flat_parameters.h"

#include "core/toy/initial_values.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_flat_parameters : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void tensorsBecomeViewsOfOneVector();
  void gradientsAreCollected();
};

void tst_flat_parameters::tensorsBecomeViewsOfOneVector() {
  Random random(1);
  const Tensor W = initialMatrix(random, 2, 3, at::kDouble);
  const Tensor b = initialVector(2, 5.0, at::kDouble);
  const Tensor before = W.detach().clone();
  FlatParameters flat({W, b});
  QCOMPARE(flat.values().numel(), std::int64_t{8});
  QVERIFY(W.detach().equal(before));
  flat.values().mul_(2.0);
  QVERIFY(W.detach().equal(2.0 * before));
  QVERIFY(b.detach().equal(at::full({2}, 10.0, at::kDouble)));
}

void tst_flat_parameters::gradientsAreCollected() {
  const Tensor a = initialVector(2, 3.0, at::kDouble);
  const Tensor b = initialVector(1, 4.0, at::kDouble);
  FlatParameters flat({a, b});
  for (int pass = 0; pass < 2; ++pass) {
    ((a * a).sum() + 7.0 * b.sum()).backward();  // 2a and 7
    QVERIFY(flat.gradients().equal(at::tensor({6.0, 6.0, 7.0}, at::kDouble)));
    flat.clearGradients();
  }
}

EQUIPATCH_TEST(tst_flat_parameters)
#include "tst_flat_parameters.moc"
