// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/statistics.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_statistics : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void meansAndStandardErrorsEqualTheFormulas();
  void aSingleTaskHasZeroStandardError();
  void valuesAreRowMajor();
};

void tst_statistics::meansAndStandardErrorsEqualTheFormulas() {
  // 1, 2, 6: mean 3, deviations −2, −1, 3, variance 14/2, error √(7/3).
  const Tensor values =
      at::tensor({1.0, 0.0, 2.0, 0.0, 6.0, 0.0}, at::kDouble).view({3, 2});
  const MeanCurve curve = meanCurve(values);
  QCOMPARE(curve.mean, (std::vector<double>{3.0, 0.0}));
  QVERIFY(std::abs(curve.error[0] - std::sqrt(7.0 / 3.0)) < 1e-15);
  QCOMPARE(curve.error[1], 0.0);
}

void tst_statistics::aSingleTaskHasZeroStandardError() {
  QCOMPARE(meanCurve(at::ones({1, 2})).error, (std::vector<double>{0.0, 0.0}));
}

void tst_statistics::valuesAreRowMajor() {
  const Tensor values = at::arange(6, at::kFloat).view({2, 3});
  QCOMPARE(toValues(values.t()), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  QCOMPARE(integersFrom(2, 3), (std::vector<double>{2, 3, 4}));
}

EQUIPATCH_TEST(tst_statistics)
#include "tst_statistics.moc"
