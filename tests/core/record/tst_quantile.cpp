#include "core/record/quantile.h"

#include <cmath>
#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_quantile : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void liesBetweenNeighbours();
  void ofFewValues();
  void notANumberIsLargest();
};

/// Values of numpy.quantile.
void tst_quantile::liesBetweenNeighbours() {
  const std::vector<double> values{7.0, 1.0, 4.0, 2.0};
  QCOMPARE(quantile(values, 0.0), 1.0);
  QCOMPARE(quantile(values, 0.5), 3.0);
  QCOMPARE(quantile(values, 0.95), 6.55);
  QCOMPARE(quantile(values, 1.0), 7.0);
}

void tst_quantile::ofFewValues() {
  QCOMPARE(quantile({}, 0.5), 0.0);
  QCOMPARE(quantile({3.0}, 0.95), 3.0);
  QCOMPARE(quantile({1.0, 5.0, 3.0}, 0.5), 3.0);
}

void tst_quantile::notANumberIsLargest() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  QCOMPARE(quantile({none, 1.0, 2.0, none, 3.0}, 0.5), 3.0);
  QVERIFY(std::isnan(quantile({none, 1.0, 2.0}, 0.95)));
  QCOMPARE(quantile({infinite, 1.0, infinite}, 1.0), infinite);
}

EQUIPATCH_TEST(tst_quantile)
#include "tst_quantile.moc"
