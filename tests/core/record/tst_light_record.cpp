#include "core/record/light_record.h"

#include "tests/core/record/random_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_light_record : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void leavesOutVectorsAlone() {
    test::RandomRuns random(11);
    for (int i = 0; i < 50; ++i) {
      const RunHeader header = random.header();
      StepRecord step = random.step(header, i);
      const std::shared_ptr<const StepRecord> light = withoutVectors(step);
      for (LayerRecord& layer : step.layers) layer.scaleDelta.clear();
      step.factors = nullptr;
      QVERIFY(*light == step);
    }
  }
};

EQUIPATCH_TEST(tst_light_record)
#include "tst_light_record.moc"
