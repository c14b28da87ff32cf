#include "tests/support/test_case.h"
#include "ui/chart/axes.h"

using namespace equipatch;

class tst_log_ticker : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void wideRangesHavePowersOfTen();
  void narrowRangesHaveMoreTicks_data();
  void narrowRangesHaveMoreTicks();
  void shortLabelsArePlain();
};

namespace {

struct Ticks {
  QVector<double> values;
  QVector<QString> labels;
};

// Ticks inside the range only: tickers may add one at each end.
Ticks ticksOf(double lower, double upper) {
  LogTicker ticker;
  Ticks all;
  ticker.generate({lower, upper}, QLocale::c(), u'e', 0, all.values, nullptr,
                  &all.labels);
  Ticks inside;
  for (qsizetype i = 0; i < all.values.size(); ++i) {
    if (all.values[i] < lower || all.values[i] > upper) continue;
    inside.values << all.values[i];
    inside.labels << all.labels[i];
  }
  return inside;
}

}  // namespace

void tst_log_ticker::wideRangesHavePowersOfTen() {
  const Ticks ticks = ticksOf(1e-6, 1.0);
  QVERIFY(ticks.values.size() >= 3);
  for (const double value : ticks.values) {
    const double exponent = std::log10(value);
    QVERIFY(std::abs(exponent - std::round(exponent)) < 1e-9);
  }
}

void tst_log_ticker::narrowRangesHaveMoreTicks_data() {
  QTest::addColumn<double>("lower");
  QTest::addColumn<double>("upper");
  QTest::newRow("two decades") << 0.3 << 25.0;
  QTest::newRow("one decade") << 0.3 << 2.0;
  QTest::newRow("inside a decade") << 2.2e-5 << 8.8e-5;
}

void tst_log_ticker::narrowRangesHaveMoreTicks() {
  QFETCH(double, lower);
  QFETCH(double, upper);
  QVERIFY(ticksOf(lower, upper).values.size() >= 3);
}

void tst_log_ticker::shortLabelsArePlain() {
  QVERIFY(ticksOf(0.3, 25.0).labels.contains(QStringLiteral("0.5")));
  QVERIFY(ticksOf(0.3, 25.0).labels.contains(QStringLiteral("20")));
  QVERIFY(ticksOf(2e-6, 1e-5).labels.contains(QStringLiteral("5e-06")));
}

EQUIPATCH_TEST(tst_log_ticker)
#include "tst_log_ticker.moc"
