#include "core/toy/initial_values.h"

#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_initial_values : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void matricesStayWithinTheirBound();
  void aSeedMeansTheSameNumbersInEveryDtype();
  void onlyParametersAreTrained();
};

void tst_initial_values::matricesStayWithinTheirBound() {
  Random random(1);
  const Tensor W = initialMatrix(random, 300, 16, at::kDouble);
  QCOMPARE(W.sizes(), (at::IntArrayRef{300, 16}));
  const double largest = W.abs().max().item<double>();
  QVERIFY(largest <= 0.25 && largest > 0.249);
  QVERIFY(std::abs(W.mean().item<double>()) < 0.01);
}

void tst_initial_values::aSeedMeansTheSameNumbersInEveryDtype() {
  Random wide(2), narrow(2);
  const Tensor draws = normalDraws(wide, {3, 4}, at::kDouble);
  QVERIFY(draws.to(at::kFloat).equal(normalDraws(narrow, {3, 4}, at::kFloat)));
}

void tst_initial_values::onlyParametersAreTrained() {
  Random random(3);
  QVERIFY(initialMatrix(random, 2, 2, at::kFloat).requires_grad());
  QVERIFY(initialVector(2, 1.0, at::kFloat).requires_grad());
  QVERIFY(!normalDraws(random, {2}, at::kFloat).requires_grad());
}

EQUIPATCH_TEST(tst_initial_values)
#include "tst_initial_values.moc"
