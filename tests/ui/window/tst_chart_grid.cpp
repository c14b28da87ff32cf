// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/run_fixture.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/chart/logit_chart.h"
#include "ui/window/chart_grid.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

namespace {

bool isExplained(const ChartView& chart) {
  return !chart.findChild<QLabel*>(QStringLiteral("chartSentence"))->isHidden();
}

}  // namespace

class tst_chart_grid : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void setsTheEmptyTextOfAllCharts();
  void rowSizesAreStored();
  void describesTheChartsInWords();
  void showsOneChartAlone();
  void aGuestChartReturnsAfterBeingShownAlone();
};

void tst_chart_grid::showsOneChartAlone() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  Fixture f;
  ChartGrid grid(f.model, f.selection, f.theme);
  grid.resize(900, 700);
  grid.show();
  auto* map = grid.chart<HeatmapChart>();
  const auto visible = [&grid] {
    int count = 0;
    for (const auto* chart : grid.findChildren<ChartView*>()) count += chart->isVisible();
    return count;
  };
  const int height = map->height();
  QVERIFY(map->canBeAlone());
  QTest::keyClick(map, Qt::Key_Return);
  QVERIFY(map->isVisible());
  QCOMPARE(visible(), 1);
  QTRY_VERIFY(map->height() > 3 * height / 2);
  grid.toggleAlone(0);
  QVERIFY(grid.chart<LogitChart>()->isVisible());
  QCOMPARE(visible(), 1);
  grid.toggleAlone(7);  // there is none
  QCOMPARE(visible(), 1);
  grid.toggleAlone(0);
  QCOMPARE(visible(), 4);
  QTRY_COMPARE(map->height(), height);
}

void tst_chart_grid::aGuestChartReturnsAfterBeingShownAlone() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  Fixture f;
  QSplitter home(Qt::Vertical);
  home.addWidget(new QLabel);
  auto* guest = new NormChart(f.model, f.selection, f.theme, &home);
  home.addWidget(guest);
  home.addWidget(new QLabel);
  ChartGrid grid(f.model, f.selection, f.theme);
  grid.addGuest(*guest);
  home.resize(300, 600);
  home.setSizes({100, 400, 100});
  grid.resize(900, 700);
  home.show();
  grid.show();
  const QList<int> sizes = home.sizes();
  const auto isAlone = [&] {
    return grid.isAncestorOf(guest) && guest->isVisible() && guest->height() > 600 &&
           !grid.chart<LogitChart>()->isVisible();
  };
  grid.toggleAlone(4);
  QTRY_VERIFY(isAlone());
  grid.toggleAlone(0);
  QVERIFY(grid.chart<LogitChart>()->isVisible());
  QCOMPARE(home.indexOf(guest), 1);
  QCOMPARE(home.sizes(), sizes);
  Q_EMIT guest->aloneRequested();
  QTRY_VERIFY(isAlone());
  grid.showAll();
  QVERIFY(grid.chart<LogitChart>()->isVisible());
  QCOMPARE(home.indexOf(guest), 1);
  QVERIFY(guest->isVisible());
}

void tst_chart_grid::setsTheEmptyTextOfAllCharts() {
  Fixture f;
  ChartGrid grid(f.model, f.selection, f.theme);
  grid.setEmptyText(QStringLiteral("Nothing yet."));
  int shown = 0;
  for (const auto* label : grid.findChildren<QLabel*>(QStringLiteral("chartEmpty")))
    shown += label->text().endsWith(QStringLiteral("\n\nNothing yet."));
  QCOMPARE(shown, 4);
}

void tst_chart_grid::rowSizesAreStored() {
  const test::ScratchSettings scratch;
  Fixture f;
  QList<int> sizes;
  {
    ChartGrid grid(f.model, f.selection, f.theme);
    grid.resize(900, 700);
    grid.show();
    auto* rows = grid.findChild<QSplitter*>(QStringLiteral("chartRows"));
    rows->setSizes({200, 495});
    sizes = rows->sizes();
    grid.save();
  }
  ChartGrid grid(f.model, f.selection, f.theme);
  grid.resize(900, 700);
  grid.restore();
  grid.show();
  QCOMPARE(grid.findChild<QSplitter*>(QStringLiteral("chartRows"))->sizes(), sizes);
}

void tst_chart_grid::describesTheChartsInWords() {
  const test::QuietPlatform quiet;
  const test::ScratchSettings scratch;
  Fixture f;
  ChartGrid grid(f.model, f.selection, f.theme);
  grid.resize(900, 700);
  grid.show();
  f.begin({});
  f.append(4, {});
  f.selection.selectStep(2);
  const QString before = grid.chart<LogitChart>()->sentence();
  for (const auto* chart : grid.findChildren<ChartView*>()) {
    QVERIFY2(!chart->sentence().isEmpty(), qPrintable(chart->title()));
    QVERIFY(isExplained(*chart));
  }
  grid.resize(900, 300);  // no room for words
  for (const auto* chart : grid.findChildren<ChartView*>()) {
    QTRY_VERIFY(!isExplained(*chart));
    const auto* title = chart->findChild<QLabel*>(QStringLiteral("chartTitle"));
    QCOMPARE(title->toolTip(), chart->sentence());
  }
  grid.resize(900, 700);
  for (const auto* chart : grid.findChildren<ChartView*>())
    QTRY_VERIFY(isExplained(*chart));
  f.selection.selectStep(3);
  QVERIFY(grid.chart<LogitChart>()->sentence() != before);
  grid.chart<HeatmapChart>()->views()->setCurrentIndex(1);  // a size by step
  QVERIFY(grid.chart<HeatmapChart>()->sentence().contains(QStringLiteral("step 3")));
  f.selection.selectStep(1);
  QVERIFY(grid.chart<HeatmapChart>()->sentence().contains(QStringLiteral("step 1")));
  grid.setExplained(false);
  ChartGrid next(f.model, f.selection, f.theme);
  next.resize(900, 700);
  next.show();
  f.begin({});  // charts without data have no words anyway
  f.append(4, {});
  for (const ChartGrid* each : {&grid, &next})
    for (const auto* chart : each->findChildren<ChartView*>()) {
      QVERIFY2(chart->isDataVisible(), qPrintable(chart->title()));
      QVERIFY(!isExplained(*chart));
    }
}

EQUIPATCH_TEST(tst_chart_grid)
#include "tst_chart_grid.moc"
