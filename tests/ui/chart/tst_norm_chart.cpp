#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/chart/norm_chart.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

class tst_norm_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void drawsASeriesPerMatrixAndTheScale();
  void switchesToRelative();
  void hasNoScaleWhereThereIsNone();
  void drawsTheBiasWhereThereIsOne();
  void layersMayDiffer();
  void followsTheSelectedStep();
  void survivesShortRecords();
};

void tst_norm_chart::drawsASeriesPerMatrixAndTheScale() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(2, {});
  QCOMPARE(chart.matrixCount(), 3);
  const LayerRecord& layer = f.model.step(1).layers[4];
  QCOMPARE(chart.matrix(0)->data()->at(4)->value, layer.matrices[0].norm);
  QCOMPARE(chart.matrix(2)->data()->at(4)->value, layer.matrices[2].norm);
  QCOMPARE(chart.scale()->data()->at(4)->value, layer.scaleNorm);
  QCOMPARE(chart.title(), QStringLiteral("Patch size by layer, step 1"));
}

void tst_norm_chart::switchesToRelative() {
  Fixture f;
  NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  chart.setMeasure(NormChart::Measure::Relative);
  QCOMPARE(chart.matrix(1)->data()->at(2)->value,
           f.model.step(0).layers[2].matrices[1].relative);
  QVERIFY(!chart.scale()->visible());
  QCOMPARE(chart.plot().yAxis->label(), QStringLiteral("‖ΔW‖ / ‖W‖"));
  chart.setMeasure(NormChart::Measure::Absolute);
  QVERIFY(chart.scale()->visible());
}

void tst_norm_chart::hasNoScaleWhereThereIsNone() {
  const test::RecordShape shape{.closesWithScale = false};
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  QVERIFY(!chart.scale());
}

void tst_norm_chart::drawsTheBiasWhereThereIsOne() {
  const test::RecordShape shape{.closesWithScale = false, .closesWithBias = true};
  Fixture f;
  NormChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  QCOMPARE(chart.bias()->data()->at(1)->value, f.model.step(0).layers[1].biasNorm);
  chart.setMeasure(NormChart::Measure::Relative);
  QVERIFY(!chart.bias()->visible());
}

/// A dense layer among sparse ones has no router; its matrices stay in their series.
void tst_norm_chart::layersMayDiffer() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  StepRecord record = *test::makeRecord(0);
  std::swap(record.layers[1].matrices[0], record.layers[1].matrices[2]);
  record.layers[1].matrices.erase(record.layers[1].matrices.begin() + 1);
  const double down = record.layers[1].find("down")->norm;
  f.model.append({std::make_shared<const StepRecord>(record)});
  f.selection.setStepCount(1);
  QCOMPARE(chart.matrix(2)->data()->at(1)->value, down);
  QVERIFY(std::isnan(chart.matrix(1)->data()->at(1)->value));
}

void tst_norm_chart::followsTheSelectedStep() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(5, {});
  f.selection.selectStep(2);
  QCOMPARE(chart.matrix(0)->data()->at(0)->value,
           f.model.step(2).layers[0].matrices[0].norm);
  QCOMPARE(chart.title(), QStringLiteral("Patch size by layer, step 2"));
}

void tst_norm_chart::survivesShortRecords() {
  Fixture f;
  const NormChart chart(f.model, f.selection, f.theme);
  f.begin({});
  StepRecord record = *test::makeRecord(0);
  record.layers.resize(1);
  record.layers[0].matrices.clear();
  f.model.append({std::make_shared<const StepRecord>(record)});
  f.selection.setStepCount(1);
  QCOMPARE(chart.matrix(0)->dataCount(), 1);
}

EQUIPATCH_TEST(tst_norm_chart)
#include "tst_norm_chart.moc"
