#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/chart/error_chart.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

class tst_layer_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void selectsAndMarksLayers();
  void keysWalkLayersAndSteps();
};

void tst_layer_chart::selectsAndMarksLayers() {
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

void tst_layer_chart::keysWalkLayersAndSteps() {
  Fixture f;
  ErrorChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  QTest::keyClick(&chart, Qt::Key_Right);
  QCOMPARE(f.selection.layer(), 0);
  QCOMPARE(f.selection.step(), 2);
  QTest::keyClick(&chart, Qt::Key_Down);
  QCOMPARE(f.selection.step(), 1);
  QCOMPARE(f.selection.layer(), 0);
}

EQUIPATCH_TEST(tst_layer_chart)
#include "tst_layer_chart.moc"
