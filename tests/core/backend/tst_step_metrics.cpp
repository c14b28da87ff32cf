#include "core/backend/step_metrics.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_step_metrics : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void distancesAreThoseOfTheFormulas_data();
  void distancesAreThoseOfTheFormulas();
  void infiniteLogitsAreInfinitelyFar();
  void bestIsTheFirstOfEquals();
};

void tst_step_metrics::distancesAreThoseOfTheFormulas_data() {
  QTest::addColumn<bool>("wide");
  QTest::newRow("float32") << false;
  QTest::newRow("float64") << true;
}

void tst_step_metrics::distancesAreThoseOfTheFormulas() {
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
  QCOMPARE(PassLogits(a, 2).best(), TokenId(1));
}

void tst_step_metrics::infiniteLogitsAreInfinitelyFar() {
  const Tensor a = at::tensor({1.0, 2.0}, at::kFloat);
  const Tensor b = at::tensor({1.0, NAN}, at::kFloat);
  const LogitDistance distance = PassLogits(a, 1).distanceTo(PassLogits(b, 1));
  QVERIFY(std::isinf(distance.linf));
  QCOMPARE(distance.tvd, 1.0);
  QVERIFY(!PassLogits(b, 1).summary().finite);
}

void tst_step_metrics::bestIsTheFirstOfEquals() {
  const Tensor logits = at::tensor({0.0, 3.0, 3.0}, at::kFloat);
  QCOMPARE(PassLogits(logits, 1).best(), TokenId(1));
  QCOMPARE(PassLogits(logits, 1).choose({}, StepIndex(0)), TokenId(1));
}

EQUIPATCH_TEST(tst_step_metrics)
#include "tst_step_metrics.moc"
