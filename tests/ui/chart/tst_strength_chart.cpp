// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/strength_chart.h"

#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

namespace {

StrengthReading reading(double alpha, double linf, double probability, bool match) {
  return {.strength = {.alpha = alpha, .layers = {}},
          .choices = {},
          .distance = {linf, linf / 20.0, 0.0},
          .probability = probability,
          .match = match};
}

const std::vector<StrengthReading> kCurve{reading(0.0, 9.0, 0.01, false),
                                          reading(0.5, 4.0, 0.3, true),
                                          reading(1.0, 0.0, 0.8, true)};

}  // namespace

class tst_strength_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void drawsEveryReading();
  void probabilitiesHaveAnAxisOfTheirOwn();
  void theTableHoldsWhatWasRead();
  void aClickPicksAStrength();
  void withoutReadingsItIsEmpty();
};

void tst_strength_chart::drawsEveryReading() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  QCOMPARE(chart.series(QStringLiteral("L∞"))->dataCount(), 3);
  QCOMPARE(chart.series(QStringLiteral("TVD"))->dataCount(), 3);
  QCOMPARE(chart.series(QStringLiteral("tokens differ"))->dataCount(), 1);
  QCOMPARE(chart.series(QStringLiteral("tokens differ"))->dataMainKey(0), 0.0);
  QCOMPARE(chart.series(QStringLiteral("L∞"))->dataMainValue(1), 4.0);
  QVERIFY(chart.plot().yAxis->range().contains(9.0));
}

void tst_strength_chart::probabilitiesHaveAnAxisOfTheirOwn() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  QCOMPARE(chart.series(QStringLiteral("probability"))->valueAxis(), chart.plot().yAxis2);
  QVERIFY(chart.plot().yAxis2->range().contains(1.0));
  QVERIFY(chart.plot().yAxis2->range().contains(0.0));
}

void tst_strength_chart::theTableHoldsWhatWasRead() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  chart.showTable(true);
  QCOMPARE(chart.table().copiedText(),
           QStringLiteral("α\tL∞\tTVD\tprobability\ttokens differ\n"
                          "0\t9\t0.45\t0.01\t9\n"
                          "0.5\t4\t0.2\t0.3\t\n"
                          "1\t0\t0\t0.8\t\n"));
}

void tst_strength_chart::aClickPicksAStrength() {
  const test::QuietPlatform quiet;
  const Theme theme;
  StrengthChart chart(theme);
  QSignalSpy picked(&chart, &StrengthChart::alphaPicked);
  Q_EMIT chart.clicked(0.7, 1.0);
  Q_EMIT chart.clicked(1.53, 1.0);  // the axis extends beyond kMostAlpha
  QCOMPARE(picked[0][0].toDouble(), 0.7);
  QCOMPARE(picked[1][0].toDouble(), StrengthChart::kMostAlpha);
}

void tst_strength_chart::withoutReadingsItIsEmpty() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  QVERIFY(chart.isDataVisible());
  chart.show({});
  QVERIFY(!chart.isDataVisible());
}

EQUIPATCH_TEST(tst_strength_chart)
#include "tst_strength_chart.moc"
