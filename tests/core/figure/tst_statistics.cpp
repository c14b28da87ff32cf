#include "core/figure/statistics.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_statistics : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsNoNumberDoesNotCount() {
    QCOMPARE(sortedNumbers({3.0, NAN, 1.0}), (std::vector<double>{1.0, 3.0}));
  }
};

EQUIPATCH_TEST(tst_statistics)
#include "tst_statistics.moc"
