// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/layer_charts.h"

#include <cmath>

#include "core/figure/panel_range.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/run_fixture.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

namespace {

const QString kScale = QStringLiteral("Δm scale");
const QString kBias = QStringLiteral("Δb bias");

}  // namespace

class tst_layer_charts : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  /// Labels of axes are whole or absent.
  void lowChartsHaveNoLabelsThatAreCut() {
    const equipatch::test::QuietPlatform quiet;
    Fixture f;
    ErrorChart chart(f.model, f.selection, f.theme);
    f.begin({});
    f.append(2, {});
    chart.resize(300, 300);
    chart.show();
    const auto labels = [&chart] {
      return chart.plot().yAxis->label() + u' ' + chart.plot().xAxis->label();
    };
    const QString all =
        QString::fromStdString(chart.panel().y.title()) + QStringLiteral(" layer");
    QTRY_COMPARE(labels(), all);
    chart.resize(300, chart.minimumSizeHint().height());
    QTRY_COMPARE(labels(), QStringLiteral(" "));
    chart.resize(300, 300);
    QTRY_COMPARE(labels(), all);
  }

  void drawsASeriesPerMatrixAndTheScale();
  void relativeNormsReplaceAbsoluteOnes();
  void anotherMeasureKeepsTheZoomIntoLayers();
  void drawsNoScaleWhereTheRunHasNone();
  void drawsTheBiasWhereThereIsOne();
  void layersMayHaveDifferentMatrices();
  void followsTheSelectedStep();
  void recordsWithFewLayersAreDrawn();
  void drawsTheHiddenErrorOfEachLayer();
  void drawsTheMeasuredNoise();
  void withoutNoiseMachineEpsilonIsDrawn();
  void theNoiseFloorIsThatOfAllStepsSoFar();
  void selectsAndMarksLayers();
  void arrowKeysSelectLayers();
  void aNewRunFitsTheAxes();
};

void tst_layer_charts::drawsASeriesPerMatrixAndTheScale() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(2, {});
  QCOMPARE(chart.panel().curves.size(), std::size_t(4));
  const LayerRecord& layer = f.model.step(1).layers[4];
  QCOMPARE(chart.series(0)->data()->at(4)->value, layer.matrices[0].norm);
  QCOMPARE(chart.series(2)->data()->at(4)->value, layer.matrices[2].norm);
  QCOMPARE(chart.series(kScale)->data()->at(4)->value, layer.scaleNorm);
  QCOMPARE(chart.title(), QStringLiteral("Patch size by layer, step 1"));
}

void tst_layer_charts::relativeNormsReplaceAbsoluteOnes() {
  Fixture f;
  NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  chart.setMeasure(PatchMeasure::Relative);
  QCOMPARE(chart.series(1)->data()->at(2)->value,
           f.model.step(0).layers[2].matrices[1].relative);
  QVERIFY(!chart.series(kScale));
  QCOMPARE(chart.plot().yAxis->label(), QStringLiteral("‖ΔW‖ / ‖W‖"));
  chart.setMeasure(PatchMeasure::Absolute);
  QVERIFY(chart.series(kScale));
}

void tst_layer_charts::anotherMeasureKeepsTheZoomIntoLayers() {
  Fixture f;
  NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  QTest::keyClick(&chart, Qt::Key_Plus);
  const QCPRange layers = chart.plot().xAxis->range();
  chart.setMeasure(PatchMeasure::Relative);
  QCOMPARE(chart.plot().xAxis->range(), layers);
  const FigureRange relative = valueRange(chart.panel());
  QCOMPARE(chart.plot().yAxis->range(), QCPRange(relative.low, relative.high));
  QVERIFY(!chart.isFitted());
}

void tst_layer_charts::drawsNoScaleWhereTheRunHasNone() {
  const test::RecordShape shape{.closesWithScale = false};
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  QVERIFY(chart.series(0) && !chart.series(kScale));
}

void tst_layer_charts::drawsTheBiasWhereThereIsOne() {
  const test::RecordShape shape{.closesWithScale = false, .closesWithBias = true};
  Fixture f;
  NormChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  QCOMPARE(chart.series(kBias)->data()->at(1)->value, f.model.step(0).layers[1].biasNorm);
  chart.setMeasure(PatchMeasure::Relative);
  QVERIFY(!chart.series(kBias));
}

/// A dense layer among sparse ones has no router; its matrices stay in their series.
void tst_layer_charts::layersMayHaveDifferentMatrices() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  StepRecord record = *test::makeRecord(0);
  std::swap(record.layers[1].matrices[0], record.layers[1].matrices[2]);
  record.layers[1].matrices.erase(record.layers[1].matrices.begin() + 1);
  const double down = record.layers[1].find("down")->norm;
  f.model.append({std::make_shared<const StepRecord>(record)});
  f.selection.setStepCount(1);
  QCOMPARE(chart.series(2)->data()->at(1)->value, down);
  QVERIFY(std::isnan(chart.series(1)->data()->at(1)->value));
}

void tst_layer_charts::followsTheSelectedStep() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(5, {});
  f.selection.selectStep(2);
  QCOMPARE(chart.series(0)->data()->at(0)->value,
           f.model.step(2).layers[0].matrices[0].norm);
  QCOMPARE(chart.title(), QStringLiteral("Patch size by layer, step 2"));
  f.selection.deselect();
  QVERIFY2(!chart.isDataVisible(), "no step is selected");
  f.selection.followNewest();
  QVERIFY(chart.isDataVisible());
}

void tst_layer_charts::recordsWithFewLayersAreDrawn() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  StepRecord record = *test::makeRecord(0);
  record.layers.resize(1);
  record.layers[0].matrices.clear();
  f.model.append({std::make_shared<const StepRecord>(record)});
  f.selection.setStepCount(1);
  QCOMPARE(chart.series(0)->dataCount(), 1);
}

void tst_layer_charts::drawsTheHiddenErrorOfEachLayer() {
  Fixture f;
  const ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(2, {});
  QCOMPARE(chart.series(0)->dataCount(), 6);
  QCOMPARE(chart.series(0)->data()->at(3)->value, f.model.step(1).layers[3].hiddenError);
}

void tst_layer_charts::drawsTheMeasuredNoise() {
  const test::RecordShape shape{.noise = true};
  Fixture f;
  const ErrorChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  QCOMPARE(chart.series(1)->dataCount(), 6);
  QCOMPARE(chart.series(1)->data()->at(2)->value, 1.5e-3);
}

void tst_layer_charts::withoutNoiseMachineEpsilonIsDrawn() {
  Fixture f;
  const ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  QCOMPARE(chart.series(1)->dataCount(), 6);
  QCOMPARE(chart.series(1)->data()->at(0)->value, 0.0078125);  // bfloat16: 2^-7
  QCOMPARE(chart.series(1)->name(), QStringLiteral("ε of bfloat16"));
  QVERIFY(chart.plot().yAxis->range().contains(0.0078125));
}

void tst_layer_charts::theNoiseFloorIsThatOfAllStepsSoFar() {
  const test::RecordShape shape{.noise = true};
  Fixture f;
  const ErrorChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(2, shape);
  f.selection.selectStep(0);
  StepRecord record = *test::makeRecord(2, shape);
  record.layerRounding.assign(6, 0.5);
  f.model.append({std::make_shared<const StepRecord>(record)});
  QCOMPARE(chart.series(1)->data()->at(2)->value, 0.5);
  QCOMPARE(chart.series(0)->data()->at(3)->value, f.model.step(0).layers[3].hiddenError);
}

void tst_layer_charts::selectsAndMarksLayers() {
  Fixture f;
  ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  Q_EMIT chart.clicked(2.3, 0.0);
  QCOMPARE(f.selection.layer(), 2);
  QCOMPARE(chart.marker(), 2);
  Q_EMIT chart.clicked(77.0, 0.0);
  QCOMPARE(f.selection.layer(), Selection::kNone);
  QCOMPARE(chart.marker(), -1);
}

void tst_layer_charts::arrowKeysSelectLayers() {
  Fixture f;
  ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  QTest::keyClick(&chart, Qt::Key_Right);
  QCOMPARE(f.selection.layer(), 0);
  QCOMPARE(f.selection.step(), 2);
  QTest::keyClick(&chart, Qt::Key_Up);
  QCOMPARE(f.selection.layer(), 1);
  QTest::keyClick(&chart, Qt::Key_Down);
  QCOMPARE(f.selection.layer(), 0);
  QCOMPARE(f.selection.step(), 2);
}

void tst_layer_charts::aNewRunFitsTheAxes() {
  Fixture f;
  ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  QTest::keyClick(&chart, Qt::Key_Plus);
  f.append(1, {});
  QVERIFY2(!chart.isFitted(), "the same run keeps its zoom");
  f.begin({});
  QVERIFY(chart.isFitted());
  chart.setLocked(true);
  f.begin({});
  QVERIFY(!chart.isFitted());
}

EQUIPATCH_TEST(tst_layer_charts)
#include "tst_layer_charts.moc"
