// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/log_ticks.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_log_ticks : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void fewDecadesHaveTicksBetweenPowersOfTen() {
    const LogTicks ticks = logTicks({0.8, 300.0}, 12);
    QVERIFY(ticks.values == (std::vector<double>{1, 2, 5, 10, 20, 50, 100, 200}));
    QCOMPARE(ticks.decades, 0);
    QVERIFY(logTicks({2.0, 9.5}, 20).values ==
            (std::vector<double>{2, 3, 4, 5, 6, 7, 8, 9}));
  }

  void manyDecadesHavePowersOfTen() {
    const LogTicks each = logTicks({1e-5, 0.5}, 12);
    QCOMPARE(each.values.size(), std::size_t(5));
    QCOMPARE(each.decades, 1);
    const LogTicks some = logTicks({1e-20, 2.0}, 12);
    QVERIFY(some.decades >= 4 && some.values.size() <= 6);
    for (const double tick : some.values) {
      const double exponent = std::log10(tick) / some.decades;
      QVERIFY(std::abs(exponent - std::round(exponent)) < 1e-9);
    }
  }

  void labelsOfShortRangesHaveMoreDigits() {
    const LogTicks ticks = logTicks({0.0061, 0.0069}, 8);
    QCOMPARE(ticks.digits, 2);
    QCOMPARE(ticks.values.size(), std::size_t(4));
    QVERIFY(std::abs(ticks.values[0] - 0.0062) < 1e-12);
    QVERIFY(std::abs(ticks.values[3] - 0.0068) < 1e-12);
    QCOMPARE(logTicks({1.0001, 1.0002}, 8).digits, 6);
    QCOMPARE(logTicks({1.5, 9.5}, 8).digits, 1);
    QVERIFY(logTicks({1.0, 1.0 + 4e-16}, 8).values.size() <= 1);  // and the call returns
  }

  /// Neighbouring ticks are at least one label's share of the axis apart.
  void ticksLieOnTheAxisAndLabelsDoNotTouch() {
    for (double low = 1e-7; low < 1.0; low *= 3.7)
      for (double factor = 1.3; factor < 1e20; factor *= 2.1)
        for (const double labels : {1.0, 2.0, 3.0, 5.0, 8.0, 12.0}) {
          const FigureRange range{low, low * factor};
          const std::vector<double> ticks = logTicks(range, labels).values;
          const double apart = std::log10(factor) / labels;
          for (std::size_t i = 0; i < ticks.size(); ++i) {
            QVERIFY(ticks[i] >= range.low && ticks[i] <= range.high);
            QVERIFY(i == 0 || std::log10(ticks[i] / ticks[i - 1]) >= apart - 1e-9);
          }
          QVERIFY(factor < 4.0 || !ticks.empty());
        }
  }

  /// The ratio of the ends is more than a double holds.
  void aRangeOfHundredsOfDecadesHasTicks() {
    const LogTicks ticks = logTicks({1e-234, 1e234}, 8);
    QVERIFY(ticks.values.size() > 2 && ticks.values.size() <= 8);
    QVERIFY(ticks.decades > 50);
  }

  void invalidRangesHaveNoTicks() {
    QVERIFY(logTicks({0.0, 1.0}, 5).values.empty());
    QVERIFY(logTicks({2.0, 2.0}, 5).values.empty());
    QVERIFY(logTicks({1.0, INFINITY}, 5).values.empty());
  }
};

EQUIPATCH_TEST(tst_log_ticks)
#include "tst_log_ticks.moc"
