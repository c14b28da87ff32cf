// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/chart/chart_view.h"

using namespace equipatch;

namespace {

/// A curve without a mark at each point.
FigurePanel lineOf(std::vector<double> y) {
  FigureCurve curve{.name = "a", .dense = true, .y = std::move(y)};
  for (std::size_t i = 0; i < curve.y.size(); ++i) curve.x.push_back(double(i));
  FigurePanel panel;
  panel.x = {.label = "step", .counts = true};
  panel.curves = {curve};
  return panel;
}

}  // namespace

class tst_chart_view : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsItsEmptyTextUntilThereIsData();
  void fitsUntilTheUserZooms();
  void keysZoomAndReset();
  void arrowKeysReportMoves();
  void aClickReportsItsXValue();
  void legendHidesSeries();
  void followsTheTheme();
  void aSinglePointIsDrawnAsADisc();
  void theMarkerIsDrawnAtItsXValue();
  void showsThePanelAsATable();
  void makesItsTableWhenItIsFirstWanted();
  void tabOrderPutsALateLegendAfterItsChart();
  void drawsNothingBeforeThereIsData();
  void narrowAxesHaveFewerTicks();
  void exactZerosStayAtTheEdge();
  void sampledDifferencesAreDiamondsNotCrosses();
  void homeEndAndPageKeysReportMoves();
  void theRightButtonOpensAMenuAndSelectsNothing();
  void lockedAxesKeepTheirRanges();
};

void tst_chart_view::showsItsEmptyTextUntilThereIsData() {
  const Theme theme;
  ChartView view(QStringLiteral("Title"), theme);
  view.setEmptyText(QStringLiteral("Choose a model folder to begin."));
  const auto* empty = view.findChild<QLabel*>(QStringLiteral("chartEmpty"));
  QVERIFY(empty && empty->isVisibleTo(&view));
  QCOMPARE(empty->text(), QStringLiteral("Choose a model folder to begin."));
  QVERIFY(!view.isDataVisible());
  view.setDataVisible(true);
  QVERIFY(view.isDataVisible() && !empty->isVisibleTo(&view));
  QCOMPARE(view.accessibleName(), QStringLiteral("Title"));
}

void tst_chart_view::fitsUntilTheUserZooms() {
  const Theme theme;
  ChartView view({}, theme);
  view.setPanel(lineOf({1.0, 2.0}));
  view.refresh();
  const QCPRange whole = view.plot().xAxis->range();
  QTest::keyClick(&view, Qt::Key_Plus);
  const QCPRange part = view.plot().xAxis->range();
  view.refresh();
  QVERIFY(part != whole && !view.isFitted());
  QCOMPARE(view.plot().xAxis->range(), part);
  view.resetZoom();
  QCOMPARE(view.plot().xAxis->range(), whole);
  QWheelEvent swipe({}, {}, {}, {120, 0}, {}, {}, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&view.plot(), &swipe);
  QVERIFY2(view.isFitted(), "a swipe sideways zooms nothing");
}

void tst_chart_view::keysZoomAndReset() {
  const Theme theme;
  ChartView view({}, theme);
  FigurePanel panel = lineOf({1.0});
  panel.x.limits = FigureRange{0.0, 10.0};
  view.setPanel(panel);
  view.resetZoom();
  QTest::keyClick(&view, Qt::Key_Plus);
  QVERIFY(view.plot().xAxis->range().size() < 10.0);
  QTest::keyClick(&view, Qt::Key_Minus);
  QTest::keyClick(&view, Qt::Key_Minus);
  QVERIFY(view.plot().xAxis->range().size() > 10.0);
  QTest::keyClick(&view, Qt::Key_0);
  QCOMPARE(view.plot().xAxis->range().size(), 10.0);
  QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
  QCOMPARE(view.plot().xAxis->range().lower, 2.0);
  QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
  QCOMPARE(view.plot().xAxis->range().lower, 0.0);
}

void tst_chart_view::arrowKeysReportMoves() {
  const Theme theme;
  ChartView view({}, theme);
  QSignalSpy moved(&view, &ChartView::keyMoved);
  QTest::keyClick(&view, Qt::Key_Left);
  QTest::keyClick(&view, Qt::Key_Up);
  QCOMPARE(moved.count(), 2);
  QCOMPARE(moved[0], (QVariantList{-1, 0}));
  QCOMPARE(moved[1], (QVariantList{0, 1}));
}

void tst_chart_view::aClickReportsItsXValue() {
  const test::QuietPlatform quiet;
  const Theme theme;
  ChartView view({}, theme);
  view.setDataVisible(true);
  view.resize(400, 300);
  view.show();
  view.plot().xAxis->setRange(0, 10);
  view.plot().replot();
  QSignalSpy clicked(&view, &ChartView::clicked);
  const QPoint at(int(view.plot().xAxis->coordToPixel(3.0)),
                  view.plot().axisRect()->center().y());
  QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, at);
  QCOMPARE(clicked.count(), 1);
  QVERIFY(std::abs(clicked[0][0].toDouble() - 3.0) < 0.1);
  // A double click resets the zoom. Its second half must not be reported as a click.
  QMouseEvent second(QEvent::MouseButtonDblClick, at, view.plot().mapToGlobal(at),
                     Qt::LeftButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&view.plot(), &second);
  QTest::mouseRelease(&view.plot(), Qt::LeftButton, {}, at);
  QCOMPARE(clicked.count(), 1);
}

void tst_chart_view::legendHidesSeries() {
  const Theme theme;
  ChartView view({}, theme);
  FigurePanel panel = lineOf({1.0, 2.0});
  panel.curves.push_back({.name = "b", .x = {0, 1}, .y = {90.0, 100.0}});
  view.setPanel(panel);
  view.refresh();
  QVERIFY(view.plot().yAxis->range().upper > 50.0);
  view.findChildren<QToolButton*>(QStringLiteral("legendEntry"))[1]->click();
  QVERIFY(!view.series(QStringLiteral("b"))->visible());
  QVERIFY(view.plot().yAxis->range().upper < 50.0);
  view.setPanel(panel);
  QVERIFY(!view.series(1)->visible());
  view.setPanel({});
  QCOMPARE(view.plot().graphCount(), 0);
}

void tst_chart_view::followsTheTheme() {
  Theme theme;
  theme.setMode(Theme::Mode::Light);
  ChartView view({}, theme);
  view.setPanel(lineOf({1.0}));
  const QCPGraph* graph = view.series(0);
  const QColor before = graph->pen().color();
  theme.setMode(Theme::Mode::Dark);
  QVERIFY(graph->pen().color() != before);
  QCOMPARE(view.plot().xAxis->labelColor(), theme.colours().muted);
}

void tst_chart_view::aSinglePointIsDrawnAsADisc() {
  Theme theme;
  theme.setMode(Theme::Mode::Light);
  ChartView view({}, theme);
  view.setPanel(lineOf({1.0}));
  const QCPGraph* graph = view.series(0);
  view.plot().replot();
  QCOMPARE(graph->scatterStyle().shape(), QCPScatterStyle::ssDisc);
  theme.setMode(Theme::Mode::Dark);
  QCOMPARE(graph->scatterStyle().shape(), QCPScatterStyle::ssDisc);
  view.appendPoints([](FigurePanel& panel) {
    panel.curves[0].x.push_back(1.0);
    panel.curves[0].y.push_back(2.0);
  });
  QCOMPARE(graph->dataCount(), 2);
  view.plot().replot();
  QCOMPARE(graph->scatterStyle().shape(), QCPScatterStyle::ssNone);
}

void tst_chart_view::showsThePanelAsATable() {
  const Theme theme;
  ChartView view({}, theme);
  view.setPanel(lineOf({0.5, 0.0}));
  view.setDataVisible(true);
  view.showTable(true);
  QCOMPARE(view.table().copiedText(), QStringLiteral("step\ta\n0\t0.5\n1\t0\n"));
}

void tst_chart_view::makesItsTableWhenItIsFirstWanted() {
  const Theme theme;
  ChartView view(QStringLiteral("Title"), theme);
  QCheckBox control;
  view.addControl(&control);
  view.setPanel(lineOf({0.5, 0.0}));
  view.setDataVisible(true);
  QVERIFY(!view.findChild<QTableView*>());
  view.showTable(true);
  QCOMPARE(view.findChildren<QTableView*>().size(), 1);
  QCOMPARE(view.table().accessibleName(), QStringLiteral("Title, as a table"));
  view.setTitle(QStringLiteral("Other"));
  QCOMPARE(view.table().accessibleName(), QStringLiteral("Other, as a table"));
  // Tab reaches the table before the controls of the title line.
  const QWidget* next = view.nextInFocusChain();
  while (next->focusPolicy() == Qt::NoFocus) next = next->nextInFocusChain();
  QCOMPARE(next, &view.table());
  view.showTable(false);
  view.showTable(true);
  QCOMPARE(view.findChildren<QTableView*>().size(), 1);
}

void tst_chart_view::tabOrderPutsALateLegendAfterItsChart() {
  const Theme theme;
  QWidget window;
  auto* view = new ChartView({}, theme, &window);
  const QPushButton after(&window);
  view->setPanel(lineOf({0.5, 0.0}));
  const QWidget* next = view->findChild<QWidget*>(QStringLiteral("tableSwitch"));
  do next = next->nextInFocusChain();
  while (!(next->focusPolicy() & Qt::TabFocus));
  QCOMPARE(next->objectName(), QStringLiteral("legendEntry"));
}

void tst_chart_view::drawsNothingBeforeThereIsData() {
  const Theme theme;
  ChartView view({}, theme);
  QSignalSpy drawn(&view.plot(), &QCustomPlot::afterReplot);
  view.refresh();
  QCoreApplication::processEvents();
  QCOMPARE(drawn.count(), 0);
  view.setPanel(lineOf({0.5, 0.0}));
  view.setDataVisible(true);
  QTRY_VERIFY(drawn.count() > 0);
  drawn.clear();
  view.refresh();
  QTRY_VERIFY(drawn.count() > 0);
}

void tst_chart_view::theMarkerIsDrawnAtItsXValue() {
  const Theme theme;
  ChartView view({}, theme);
  const auto* line = qobject_cast<QCPItemStraightLine*>(view.plot().item(0));
  QVERIFY(line && !line->visible());
  view.setMarker(4);
  QCOMPARE(view.marker(), 4);
  QVERIFY(line->visible());
  QCOMPARE(line->point1->key(), 4.0);
  QCOMPARE(line->point2->key(), 4.0);
  view.setMarker(-1);
  QCOMPARE(view.marker(), -1);
  QVERIFY(!line->visible());
}

void tst_chart_view::narrowAxesHaveFewerTicks() {
  const Theme theme;
  ChartView view({}, theme);
  view.plot().xAxis->setRange(0, 1000);
  const auto ticksAt = [&](int width) {
    view.plot().setViewport(QRect(0, 0, width, 200));
    view.plot().replot();
    return view.plot().xAxis->ticker()->tickCount();
  };
  QCOMPARE(ticksAt(900), 6);
  QVERIFY(ticksAt(160) <= 3);
}

void tst_chart_view::exactZerosStayAtTheEdge() {
  const test::QuietPlatform quiet;
  Theme theme;
  ChartView view({}, theme);
  FigurePanel panel = lineOf({0.0, 2.0, 0.0});
  panel.curves[0].dense = false;
  panel.y.scale = FigureScale::Logarithmic;
  view.setPanel(panel);
  view.setDataVisible(true);
  view.refresh();
  view.plot().replot();
  const auto atEdge = [&] {
    const QCPRange range = view.plot().yAxis->range();
    const double place = view.zeros(0)->dataMainValue(0);
    return range.contains(place) && place < range.lower * 2.0 &&
           place == view.series(0)->dataMainValue(2);
  };
  QCOMPARE(view.zeros(0)->dataCount(), 2);
  QVERIFY(atEdge());
  QCOMPARE(view.legend().remark(), QStringLiteral("exactly 0"));
  QVERIFY(view.describe(2.0, 1.0).contains(QStringLiteral("○ exactly 0")));
  QCOMPARE(view.zeros(0)->scatterStyle().brush().color(), theme.colours().surface);
  view.plot().yAxis->setRange(1e-6, 1e-2);
  view.plot().replot();
  QVERIFY(atEdge());
  QVERIFY(view.plot().yAxis->tickVectorLabels().contains(QStringLiteral("0")));
  view.findChildren<QToolButton*>(QStringLiteral("legendEntry"))[0]->click();
  QVERIFY(!view.zeros(0)->visible());
  view.setPanel(lineOf({1.0, 2.0, 3.0}));
  QVERIFY(!view.zeros(0));
  QVERIFY(view.legend().remark().isEmpty());
}

void tst_chart_view::sampledDifferencesAreDiamondsNotCrosses() {
  const Theme theme;
  ChartView view({}, theme);
  FigurePanel panel = lineOf({1.0});
  panel.marks = {{.name = "x"},
                 {.symbol = FigureMarks::Symbol::SampledDifference, .name = "s"}};
  view.setPanel(panel);
  const QCPScatterStyle sampled = view.series(QStringLiteral("s"))->scatterStyle();
  QCOMPARE(sampled.shape(), QCPScatterStyle::ssDiamond);
  QCOMPARE(sampled.brush().color(), theme.colours().patched);
  QCOMPARE(view.series(QStringLiteral("x"))->scatterStyle().shape(),
           QCPScatterStyle::ssCross);
}

void tst_chart_view::homeEndAndPageKeysReportMoves() {
  const Theme theme;
  ChartView view({}, theme);
  const QSignalSpy moved(&view, &ChartView::keyMoved);
  QTest::keyClick(&view, Qt::Key_Home);
  QTest::keyClick(&view, Qt::Key_End);
  QTest::keyClick(&view, Qt::Key_PageDown);
  QCOMPARE(moved.size(), 3);
  QVERIFY(moved[0][0].toInt() < -1000000 && moved[1][0].toInt() > 1000000);
  QCOMPARE(moved[2][0].toInt(), 10);
}

void tst_chart_view::theRightButtonOpensAMenuAndSelectsNothing() {
  const test::QuietPlatform quiet;
  const Theme theme;
  ChartView view({}, theme);
  QContextMenuEvent early(QContextMenuEvent::Mouse, {}, {});
  QApplication::sendEvent(&view, &early);
  QVERIFY2(!view.findChild<QMenu*>(), "without data there is no menu, not even hidden");
  view.setPanel(lineOf({0.5, 0.25}));
  view.setDataVisible(true);
  view.resize(400, 300);
  view.show();
  QVERIFY(QTest::qWaitForWindowExposed(&view));
  const QSignalSpy clicked(&view, &ChartView::clicked);
  const QSignalSpy exporting(&view, &ChartView::exportRequested);
  const QPoint middle = view.plot().axisRect()->rect().center();
  QTest::mouseClick(&view.plot(), Qt::RightButton, {}, middle);
  QCOMPARE(clicked.size(), 0);
  QContextMenuEvent event(QContextMenuEvent::Mouse, middle, view.mapToGlobal(middle));
  QApplication::sendEvent(&view.plot(), &event);
  auto* menu = view.findChild<QMenu*>();
  QVERIFY(menu && menu->isVisible());
  const auto entry = [menu](const QString& words) {
    for (QAction* action : menu->actions())
      if (action->text().remove(u'&').startsWith(words)) return action;
    return static_cast<QAction*>(nullptr);
  };
  entry(QStringLiteral("Copy numbers"))->trigger();
  QCOMPARE(QGuiApplication::clipboard()->text(),
           QStringLiteral("step\ta\n0\t0.5\n1\t0.25\n"));
  const QSignalSpy copying(&view, &ChartView::copyRequested);
  entry(QStringLiteral("Copy picture"))->trigger();
  QCOMPARE(copying.size(), 1);
  entry(QStringLiteral("Export this chart"))->trigger();
  QCOMPARE(exporting.size(), 1);
  entry(QStringLiteral("Read as a table"))->trigger();
  QVERIFY(view.isTable());
  menu->close();
}

void tst_chart_view::lockedAxesKeepTheirRanges() {
  const Theme theme;
  ChartView view({}, theme);
  view.setPanel(lineOf({1.0, 2.0}));
  view.setDataVisible(true);
  view.refresh();
  const QCPRange before = view.plot().yAxis->range();
  view.setLocked(true);
  view.setPanel(lineOf({1000.0, 2000.0}));
  view.refresh();
  QCOMPARE(view.plot().yAxis->range(), before);
  QCOMPARE(view.figure().panels.front().y.limits->high, before.upper);
  auto* lock = view.findChild<QToolButton*>(QStringLiteral("axisLock"));
  QVERIFY(lock && lock->isVisibleTo(&view));
  lock->click();
  QVERIFY(view.plot().yAxis->range().upper > 2000.0);
  QVERIFY(!view.isLocked());
}

EQUIPATCH_TEST(tst_chart_view)
#include "tst_chart_view.moc"
