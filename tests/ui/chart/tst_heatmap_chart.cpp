// SPDX-License-Identifier: GPL-3.0-or-later
#include <QWheelEvent>
#include <optional>

#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/heatmap_chart.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

namespace {

/// Draws the chart, which fills its cells. @returns a cell's place on the colour scale,
/// which is the value itself where colours are not logarithmic
double cell(HeatmapChart& chart, double key, double value) {
  chart.resize(700, 500);
  chart.show();
  chart.plot().replot();
  return chart.map()->data()->data(key, value);
}

/// Draws the chart with a linear colour scale. @returns a cell's value
double valueOf(HeatmapChart& chart, double key, double value) {
  chart.logColours()->setChecked(false);
  return cell(chart, key, value);
}

/// Chooses a view by its name.
void chooseView(HeatmapChart& chart, const char* view) {
  chart.views()->setCurrentText(QString::fromUtf8(view));
}

}  // namespace

class tst_heatmap_chart : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_settings.emplace(); }

 private Q_SLOTS:
  void showsTheScaleByChannel();
  void showsNormsByStep();
  void showsWhyThereIsNoScale();
  void showsTheBiasWhereThereIsOne();
  void colourScaleIsCentredAtZero();
  void logColoursKeepTheData();
  void poolsToPixelsAndKeepsTheOutlier();
  void selectsStepAndLayer();
  void anArrowKeyMovesStepOrLayer();
  void keepsTheViewForTheNextRun();
  void aZoomIntoChannelsIsNotAppliedToSteps();
  void theWheelOverTheColourScaleZoomsNothing();
  void aDragOverTheColourScaleMovesNothing();
  void theMapIsShownAsATable();

 private:
  std::optional<test::ScratchSettings> m_settings;
};

void tst_heatmap_chart::theWheelOverTheColourScaleZoomsNothing() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  cell(chart, 0, 0);
  const auto turn = [&chart](const QPointF& at) {
    QWheelEvent up(at, chart.plot().mapToGlobal(at), {}, {0, 120}, Qt::NoButton,
                   Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&chart.plot(), &up);
  };
  QVERIFY(chart.isFitted());
  for (QCPLayoutElement* element : chart.plot().plotLayout()->elements(false))
    if (dynamic_cast<QCPColorScale*>(element)) turn(element->outerRect().center());
  QVERIFY(chart.isFitted());
  turn(chart.plot().axisRect()->center());
  QVERIFY(!chart.isFitted());
}

void tst_heatmap_chart::aDragOverTheColourScaleMovesNothing() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  cell(chart, 0, 0);
  const auto drag = [&chart](const QPoint& from) {
    const QPointF to = from + QPoint(0, 20);
    QTest::mousePress(&chart.plot(), Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, chart.plot().mapToGlobal(to), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&chart.plot(), &move);
    QTest::mouseRelease(&chart.plot(), Qt::LeftButton, {}, to.toPoint());
  };
  for (QCPLayoutElement* element : chart.plot().plotLayout()->elements(false))
    if (dynamic_cast<QCPColorScale*>(element)) drag(element->outerRect().center());
  QVERIFY2(chart.isFitted(), "the map still follows the run");
  drag(chart.plot().axisRect()->center());
  QVERIFY(!chart.isFitted());
}

void tst_heatmap_chart::theMapIsShownAsATable() {
  const test::RecordShape shape{.layers = 2, .width = 3};
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  chart.showTable(true);
  QVERIFY(chart.table().copiedText().startsWith(
      QStringLiteral("channel\tlayer 0\tlayer 1\n0\t")));
}

void tst_heatmap_chart::showsTheScaleByChannel() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  QCOMPARE(valueOf(chart, 5.0, 3.0), double(f.model.step(2).layers[3].scaleDelta[5]));
  QCOMPARE(chart.figure().title, std::string("Patch map, step 2: Δm by channel"));
  f.selection.selectStep(0);
  QCOMPARE(valueOf(chart, 5.0, 3.0), double(f.model.step(0).layers[3].scaleDelta[5]));
  QVERIFY(chart.note().isEmpty());
}

void tst_heatmap_chart::showsNormsByStep() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(4, {});
  chooseView(chart, "Δm scale by step");
  QCOMPARE(valueOf(chart, 2.0, 5.0), double(float(f.model.step(2).layers[5].scaleNorm)));
  chooseView(chart, "ΔW up by step");
  QCOMPARE(valueOf(chart, 2.0, 5.0),
           double(float(f.model.step(2).layers[5].matrices[1].norm)));
  f.append(2, {});
  QCOMPARE(valueOf(chart, 5.0, 0.0),
           double(float(f.model.step(5).layers[0].matrices[1].norm)));
}

void tst_heatmap_chart::showsWhyThereIsNoScale() {
  const test::RecordShape shape{.closesWithScale = false};
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(2, shape);
  QCOMPARE(chart.views()->currentText(), QStringLiteral("ΔW down by step"));
  QVERIFY(chart.note().contains(QStringLiteral("no Δm")));
  QVERIFY(chart.isDataVisible());
}

void tst_heatmap_chart::showsTheBiasWhereThereIsOne() {
  const test::RecordShape shape{.closesWithScale = false, .closesWithBias = true};
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(2, shape);
  QCOMPARE(chart.views()->currentText(), QStringLiteral("Δb bias by step"));
  QCOMPARE(valueOf(chart, 1.0, 3.0), double(float(f.model.step(1).layers[3].biasNorm)));
}

void tst_heatmap_chart::colourScaleIsCentredAtZero() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  const QCPRange range = chart.map()->dataRange();
  QVERIFY(range.upper > 0.0);
  QCOMPARE(range.lower, -range.upper);
  chooseView(chart, "Δm scale by step");
  QCOMPARE(chart.map()->dataRange().lower, 0.0);
  QVERIFY(chart.map()->dataRange().upper > 0.0);
}

void tst_heatmap_chart::logColoursKeepTheData() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  QVERIFY(chart.logColours()->isChecked());
  const double before = valueOf(chart, 5.0, 3.0);
  chart.logColours()->setChecked(true);
  const double after = cell(chart, 5.0, 3.0);
  QVERIFY(after != before);
  QVERIFY((after > 0) == (before > 0));
  chart.logColours()->setChecked(false);
  QCOMPARE(cell(chart, 5.0, 3.0), before);
  const HeatmapChart next(f.model, f.selection, f.theme);
  QVERIFY2(!next.logColours()->isChecked(), "the choice is kept");
}

void tst_heatmap_chart::poolsToPixelsAndKeepsTheOutlier() {
  const test::RecordShape shape{.width = 5000};
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  chart.resize(400, 300);
  chart.show();
  chart.logColours()->setChecked(false);
  f.begin(shape);
  f.append(1, shape);
  chart.plot().replot();
  QVERIFY(chart.map()->data()->keySize() <= 400);
  double largest = 0.0;
  for (int k = 0; k < chart.map()->data()->keySize(); ++k)
    largest = std::max(largest, chart.map()->data()->cell(k, 5));
  QCOMPARE(largest, double(f.model.step(0).layers[5].scaleDelta[5000 / 3]));
}

void tst_heatmap_chart::selectsStepAndLayer() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(6, {});
  Q_EMIT chart.clicked(3.0, 2.0);
  QCOMPARE(f.selection.layer(), 2);
  QCOMPARE(f.selection.step(), 5);
  chooseView(chart, "Δm scale by step");
  Q_EMIT chart.clicked(3.0, 1.0);
  QCOMPARE(f.selection.layer(), 1);
  QCOMPARE(f.selection.step(), 3);
}

void tst_heatmap_chart::anArrowKeyMovesStepOrLayer() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  QTest::keyClick(&chart, Qt::Key_Up);
  QCOMPARE(f.selection.layer(), 0);
  QVERIFY2(f.selection.isFollowing(), "no step was selected");
  f.selection.selectLayer(Selection::kNone);
  QTest::keyClick(&chart, Qt::Key_Left);
  QCOMPARE(f.selection.step(), 1);
  QCOMPARE(f.selection.layer(), Selection::kNone);
}

void tst_heatmap_chart::aZoomIntoChannelsIsNotAppliedToSteps() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(4, {});
  const QCPRange channels = chart.plot().xAxis->range();
  QTest::keyClick(&chart, Qt::Key_Plus);
  f.selection.selectStep(1);
  QVERIFY2(chart.plot().xAxis->range() != channels, "another step keeps the zoom");
  chooseView(chart, "ΔW up by step");
  QCOMPARE(chart.plot().xAxis->range(), QCPRange(-0.5, 3.5));
  chart.setLocked(true);
  chooseView(chart, "Δm by channel");
  QCOMPARE(chart.plot().xAxis->range(), QCPRange(-0.5, 3.5));
}

void tst_heatmap_chart::keepsTheViewForTheNextRun() {
  Fixture f;
  HeatmapChart chart(f.model, f.selection, f.theme);
  f.begin({});
  chart.views()->setCurrentIndex(2);
  f.begin({});
  QCOMPARE(chart.views()->currentIndex(), 2);
  // The choice survives a run that lacks the chosen view.
  chooseView(chart, "Δm by channel");
  f.begin({.closesWithScale = false});
  QCOMPARE(chart.views()->currentText(), QStringLiteral("ΔW down by step"));
  f.begin({});
  QCOMPARE(chart.views()->currentText(), QStringLiteral("Δm by channel"));
}

EQUIPATCH_TEST(tst_heatmap_chart)
#include "tst_heatmap_chart.moc"
