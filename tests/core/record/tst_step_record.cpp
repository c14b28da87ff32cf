#include "core/record/step_record.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_step_record : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void matricesAreFoundByName();
};

/// Layers of one model may differ: dense ones have no router.
void tst_step_record::matricesAreFoundByName() {
  LayerRecord layer;
  layer.matrices = {{"router", 1.0, 0.1}, {"down", 2.0, 0.2}};
  QCOMPARE(layer.find("down")->norm, 2.0);
  QCOMPARE(layer.find("router")->relative, 0.1);
  QVERIFY(!layer.find("gate"));
}

EQUIPATCH_TEST(tst_step_record)
#include "tst_step_record.moc"
