#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/chart/logit_chart.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

class tst_logit_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void drawsEverySeries();
  void marksMismatches();
  void leavesOutWhatWasNotAsked();
  void appendingIsIncremental();
  void beginsAgain();
  void showsAllWhenFitted();
  void marksAndSelectsTheStep();
};

void tst_logit_chart::drawsEverySeries() {
  const test::RecordShape shape{.noise = true};
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  QVERIFY(!chart.hasData());
  f.begin(shape);
  f.append(10, shape);
  QVERIFY(chart.hasData());
  for (const QCPGraph* graph :
       {chart.linf(), chart.tvd(), chart.bare(), chart.margin(), chart.noise()}) {
    QCOMPARE(graph->dataCount(), 10);
    QVERIFY(graph->visible());
  }
  QCOMPARE(chart.linf()->data()->at(3)->value, f.model.step(3).patchedDistance.linf);
  QCOMPARE(chart.tvd()->data()->at(3)->value, f.model.step(3).patchedDistance.tvd);
  QCOMPARE(chart.bare()->data()->at(3)->value, f.model.step(3).bareDistance->linf);
  QCOMPARE(chart.margin()->data()->at(3)->value, f.model.step(3).margin);
  QCOMPARE(chart.noise()->data()->at(3)->value, f.model.step(3).noise->linf);
}

void tst_logit_chart::marksMismatches() {
  const test::RecordShape shape{.mismatchEvery = 4};
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(9, shape);
  QCOMPARE(chart.mismatches()->dataCount(), 2);
  QCOMPARE(chart.mismatches()->data()->at(0)->key, 3.0);
  QCOMPARE(chart.mismatches()->data()->at(1)->key, 7.0);
  QCOMPARE(chart.mismatches()->scatterStyle().shape(), QCPScatterStyle::ssCross);
  QCOMPARE(chart.mismatches()->scatterStyle().pen().color(), f.theme.colours().mismatch);
}

void tst_logit_chart::leavesOutWhatWasNotAsked() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  RunHeader header = *test::makeHeader();
  header.request.bare = false;
  f.model.begin(std::make_shared<const RunHeader>(header));
  QVERIFY(!chart.bare()->visible());
  QVERIFY(!chart.noise()->visible());
}

void tst_logit_chart::appendingIsIncremental() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  f.append(4, {});
  QCOMPARE(chart.linf()->dataCount(), 7);
  QCOMPARE(chart.linf()->data()->at(6)->key, 6.0);
}

void tst_logit_chart::beginsAgain() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  f.begin({});
  QCOMPARE(chart.linf()->dataCount(), 0);
  QVERIFY(!chart.hasData());
}

void tst_logit_chart::showsAllWhenFitted() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(50, {});
  const QCPRange keys = chart.plot().xAxis->range();
  QVERIFY(keys.contains(0.0) && keys.contains(49.0));
  const QCPRange values = chart.plot().yAxis->range();
  for (int i = 0; i < 50; ++i) {
    QVERIFY(values.contains(f.model.step(i).patchedDistance.tvd));
    QVERIFY(values.contains(f.model.step(i).bareDistance->linf));
    // With room for a ✗ above the largest.
    QVERIFY(std::log(values.upper / f.model.step(i).bareDistance->linf) >
            0.045 * std::log(values.upper / values.lower));
  }
}

void tst_logit_chart::marksAndSelectsTheStep() {
  Fixture f;
  LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(5, {});
  QCOMPARE(chart.marker(), 4);
  Q_EMIT chart.clicked(1.2, 0.0);
  QCOMPARE(f.selection.step(), 1);
  QCOMPARE(chart.marker(), 1);
  QTest::keyClick(&chart, Qt::Key_Right);
  QCOMPARE(f.selection.step(), 2);
}

EQUIPATCH_TEST(tst_logit_chart)
#include "tst_logit_chart.moc"
