// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/quantile.h"

#include <cmath>
#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_quantile : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void quantilesEqualThoseOfNumpy();
  void quantilesOfUpToThreeValues();
  void nanIsTheLargestValue();
  void maximumAndPlaceOfLargestPreferNan();
  void sortedQuantilesEqualThoseOfNumpy();
  void quantilesNextToInfinities();
};

void tst_quantile::quantilesEqualThoseOfNumpy() {
  const std::vector<double> values{7.0, 1.0, 4.0, 2.0};
  QCOMPARE(quantile(values, 0.0), 1.0);
  QCOMPARE(quantile(values, 0.5), 3.0);
  QCOMPARE(quantile(values, 0.95), 6.55);
  QCOMPARE(quantile(values, 1.0), 7.0);
}

void tst_quantile::quantilesOfUpToThreeValues() {
  QCOMPARE(quantile({}, 0.5), 0.0);
  QCOMPARE(quantile({3.0}, 0.95), 3.0);
  QCOMPARE(quantile({1.0, 5.0, 3.0}, 0.5), 3.0);
}

void tst_quantile::nanIsTheLargestValue() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  QCOMPARE(quantile({nan, 1.0, 2.0, nan, 3.0}, 0.5), 3.0);
  QVERIFY(std::isnan(quantile({nan, 1.0, 2.0}, 0.95)));
  QCOMPARE(quantile({infinite, 1.0, infinite}, 1.0), infinite);
}

void tst_quantile::maximumAndPlaceOfLargestPreferNan() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  QCOMPARE(maximum(1.0, 2.0), 2.0);
  QCOMPARE(maximum(infinite, 2.0), infinite);
  QVERIFY(std::isnan(maximum(nan, infinite)));
  QVERIFY(std::isnan(maximum(infinite, nan)));
  QCOMPARE(placeOfLargest({1.0, 3.0, 2.0, 3.0}), std::size_t{1});
  QCOMPARE(placeOfLargest({1.0, infinite, nan, 2.0, nan}), std::size_t{2});
  QCOMPARE(placeOfLargest({nan, 1.0}), std::size_t{0});
}

void tst_quantile::sortedQuantilesEqualThoseOfNumpy() {
  const std::vector<double> values = {1, 2, 4, 8, 16};
  QCOMPARE(sortedQuantile(values, 0.0), 1.0);
  QCOMPARE(sortedQuantile(values, 0.25), 2.0);
  QCOMPARE(sortedQuantile(values, 0.5), 4.0);
  QCOMPARE(sortedQuantile(values, 0.95), 14.4);
  QCOMPARE(sortedQuantile(values, 1.0), 16.0);
  QCOMPARE(sortedQuantile({3.0, 4.0}, 0.5), 3.5);
  QCOMPARE(sortedQuantile({7.0}, 0.9), 7.0);
  QVERIFY(std::isnan(sortedQuantile({}, 0.5)));
}

void tst_quantile::quantilesNextToInfinities() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  QCOMPARE(sortedQuantile({1.0, kInfinity, kInfinity}, 0.9), kInfinity);
  QCOMPARE(sortedQuantile({1.0, 2.0, kInfinity}, 0.5), 2.0);
  QCOMPARE(sortedQuantile({1.0, kInfinity}, 0.5), kInfinity);
  QVERIFY(std::isnan(sortedQuantile({-kInfinity, kInfinity}, 0.5)));
}

EQUIPATCH_TEST(tst_quantile)
#include "tst_quantile.moc"
