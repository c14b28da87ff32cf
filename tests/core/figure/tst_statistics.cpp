#include "core/figure/statistics.h"

#include <cmath>
#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_statistics : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// numpy.quantile([1, 2, 4, 8, 16], p), by hand.
  void quantilesLieBetweenNeighbours() {
    const std::vector<double> values = {1, 2, 4, 8, 16};
    QCOMPARE(quantile(values, 0.0), 1.0);
    QCOMPARE(quantile(values, 0.25), 2.0);
    QCOMPARE(quantile(values, 0.5), 4.0);
    QCOMPARE(quantile(values, 0.95), 14.4);
    QCOMPARE(quantile(values, 1.0), 16.0);
    QCOMPARE(quantile({3.0, 4.0}, 0.5), 3.5);
    QCOMPARE(quantile({7.0}, 0.9), 7.0);
    QVERIFY(std::isnan(quantile({}, 0.5)));
  }

  void infinitiesStayInfinite() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    QCOMPARE(quantile({1.0, kInfinity, kInfinity}, 0.9), kInfinity);
    QCOMPARE(quantile({1.0, 2.0, kInfinity}, 0.5), 2.0);
  }

  void whatIsNoNumberDoesNotCount() {
    QCOMPARE(sortedNumbers({3.0, NAN, 1.0}), (std::vector<double>{1.0, 3.0}));
  }
};

EQUIPATCH_TEST(tst_statistics)
#include "tst_statistics.moc"
