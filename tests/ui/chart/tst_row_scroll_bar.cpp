// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/row_scroll_bar.h"

#include <QTest>
#include <QWheelEvent>

#include "core/figure/run_figures.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/chart/chart_view.h"

using namespace equipatch;

namespace {

FigurePanel rowsNamed(int count) {
  std::vector<FigureBox> boxes;
  for (int i = 0; i < count; ++i) {
    FigureBox box{.name = "run " + std::to_string(i), .low = 1.0, .lowerQuartile = 2.0};
    box.median = 3.0;
    box.upperQuartile = 4.0;
    box.high = 5.0;
    boxes.push_back(box);
  }
  return distancePanel(boxes);
}

struct ShownRows {
  test::QuietPlatform quiet;
  Theme theme;
  ChartView view{QStringLiteral("Rows"), theme};
  RowScrollBar& bar = *view.findChild<RowScrollBar*>();

  explicit ShownRows(int rows) {
    view.resize(360, 300);
    view.setDataVisible(true);
    view.setPanel(rowsNamed(rows));
    view.refresh();
    view.show();
    replot();
  }
  /// Plots twice, because the scroll bar narrows the axes after the first time.
  void replot() {
    view.plot().replot();
    view.plot().replot();
  }
  QCPRange range() const { return view.plot().yAxis->range(); }
};

}  // namespace

/// Many rows scroll instead of becoming too low for their names.
class tst_row_scroll_bar : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void fewRowsFillTheAxes() {
    const ShownRows s(3);
    QVERIFY(!s.bar.scrolls() && !s.bar.isVisible());
    QCOMPARE(s.range(), QCPRange(-0.5, 2.5));
  }

  void manyRowsKeepTheirHeight() {
    ShownRows s(20);
    QVERIFY(s.bar.scrolls() && s.bar.isVisible());
    const double height = s.view.plot().axisRect()->height() / s.range().size();
    QVERIFY(height > 2.0 * QFontMetricsF(s.view.font()).height());
    QVERIFY(s.bar.x() > s.view.plot().axisRect()->right());
    QVERIFY(s.bar.geometry().right() < s.view.plot().width());
    s.view.resize(360, 2000);
    QTRY_VERIFY(!s.bar.scrolls());
    QCOMPARE(s.range(), QCPRange(-0.5, 19.5));
  }

  void wheelAndKeysScroll() {
    ShownRows s(20);
    const QCPRange numbers = s.view.plot().xAxis->range();
    const double shown = s.range().size();
    QTest::keyClick(&s.view, Qt::Key_End);
    s.replot();
    QCOMPARE(s.range(), QCPRange(19.5 - shown, 19.5));
    QTest::keyClick(&s.view, Qt::Key_Up);
    s.replot();
    QCOMPARE(s.range().upper, 18.5);
    const QPointF at = s.view.plot().axisRect()->center();
    QWheelEvent up(at, s.view.plot().mapToGlobal(at), {}, {0, 120}, Qt::NoButton,
                   Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&s.view.plot(), &up);
    s.replot();
    QVERIFY(s.range().upper < 18.5);
    QCOMPARE(s.view.plot().xAxis->range(), numbers);  // and does not zoom
    QVERIFY(s.view.isFitted());
    QTest::keyClick(&s.view, Qt::Key_Home);
    s.replot();
    QCOMPARE(s.range().lower, -0.5);
  }

  /// The horizontal axis is logarithmic; its ends move by equal factors.
  void shiftAndArrowsMoveAndPlusZoomsTheHorizontalAxis() {
    ShownRows s(3);
    const QCPRange whole = s.view.plot().xAxis->range();
    QTest::keyClick(&s.view, Qt::Key_Left, Qt::ShiftModifier);
    const QCPRange moved = s.view.plot().xAxis->range();
    QVERIFY(moved.lower > 0.0 && moved.lower < whole.lower && moved.upper < whole.upper);
    QTest::keyClick(&s.view, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(qFuzzyCompare(s.view.plot().xAxis->range().lower, whole.lower));
    s.view.resetZoom();
    QTest::keyClick(&s.view, Qt::Key_Plus);
    const QCPRange part = s.view.plot().xAxis->range();
    QVERIFY(qFuzzyCompare(part.lower * part.upper, whole.lower * whole.upper));
  }

  /// A panel with fewer rows shows all of them. A panel of curves has its own range.
  void aNewPanelEndsTheScrolling() {
    ShownRows s(20);
    QTest::keyClick(&s.view, Qt::Key_End);
    s.view.setPanel(rowsNamed(2));
    s.view.refresh();
    s.replot();
    QCOMPARE(s.range(), QCPRange(-0.5, 1.5));
    QVERIFY(!s.bar.isVisible());
    s.view.setPanel({.curves = {{.name = "a", .x = {0.0, 1.0}, .y = {100.0, 200.0}}}});
    s.view.refresh();
    s.replot();
    QVERIFY(s.range().upper >= 200.0);
  }
};

EQUIPATCH_TEST(tst_row_scroll_bar)
#include "tst_row_scroll_bar.moc"
