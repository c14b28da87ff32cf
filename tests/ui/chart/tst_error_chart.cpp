#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/chart/error_chart.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

class tst_error_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void drawsTheError();
  void drawsTheMeasuredNoise();
  void fallsBackOnTheRoundingUnit();
};

void tst_error_chart::drawsTheError() {
  Fixture f;
  const ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(2, {});
  QCOMPARE(chart.error()->dataCount(), 6);
  QCOMPARE(chart.error()->data()->at(3)->value, f.model.step(1).layers[3].hiddenError);
}

void tst_error_chart::drawsTheMeasuredNoise() {
  const test::RecordShape shape{.noise = true};
  Fixture f;
  const ErrorChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  QCOMPARE(chart.noise()->dataCount(), 6);
  QCOMPARE(chart.noise()->data()->at(2)->value, 1.5e-3);
}

void tst_error_chart::fallsBackOnTheRoundingUnit() {
  Fixture f;
  const ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  QCOMPARE(chart.noise()->dataCount(), 8);  // a point a layer, and both edges
  QCOMPARE(chart.noise()->data()->at(0)->value, 0.0078125);  // bfloat16: 2^-7
  QCOMPARE(chart.floorLabel(), QStringLiteral("ε of bfloat16 = 0.00781"));
  // It stands above its line, within the axes.
  const QCPRange shown = chart.plot().yAxis->range();
  const double above = std::log(shown.upper / 0.0078125);
  QVERIFY(above > 0.08 * std::log(shown.upper / shown.lower));
}

EQUIPATCH_TEST(tst_error_chart)
#include "tst_error_chart.moc"
