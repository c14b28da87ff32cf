// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/vision_trainer.h"

#include <limits>

#include "tests/support/test_case.h"
#include "tests/trainer/tiny_vision.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

double run(VisionTrainer& trainer, int steps) {
  double loss = 0;
  for (int i = 0; i < steps; ++i) loss = trainer.step().loss;
  return loss;
}

}  // namespace

class tst_vision_trainer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theLossFalls() {
    const SceneBatchMaker scenes = m_vision.scenes();
    VisionTrainer trainer(m_vision.options, scenes);
    const std::vector<SceneBatch> batches = {scenes.make(100000, 8)};
    const double before = trainer.loss(batches);
    run(trainer, 60);
    QVERIFY(trainer.loss(batches) < before - 2);
    QCOMPARE(trainer.state().step, 60);
    QCOMPARE(trainer.state().nextDocument, 60u * 8u);
    QVERIFY(trainer.state().tokens > 60 * 8 * 100);
  }

  void anInterruptedTrainingGivesTheSameBits() {
    const SceneBatchMaker scenes = m_vision.scenes();
    VisionTrainer whole(m_vision.options, scenes);
    run(whole, 6);
    VisionTrainer first(m_vision.options, scenes);
    run(first, 2);
    const auto path = m_vision.folder() / "state.safetensors";
    saveState(path, first.state());
    VisionTrainer second(m_vision.options, scenes);
    second.resume(loadState(path, second.network().layout().size()));
    run(second, 4);
    QVERIFY(second.state().parameters == whole.state().parameters);
    QVERIFY(second.state().expAvgSq == whole.state().expAvgSq);
    QCOMPARE(second.state().nextDocument, whole.state().nextDocument);
  }

  void theNumberOfThreadsChangesNothing() {
    const SceneBatchMaker scenes = m_vision.scenes();
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 3}) {
      VisionTrainingOptions options = m_vision.options;
      options.precision = Precision::Bfloat16;
      options.shards = 3;
      options.threads = threads;
      VisionTrainer trainer(options, scenes);
      run(trainer, 3);
      results.push_back(trainer.state().parameters);
    }
    QVERIFY(results[0] == results[1]);
    QVERIFY(results[0] == results[2]);
  }

  void aLossOfNanEndsTheTraining() {
    const SceneBatchMaker scenes = m_vision.scenes();
    VisionTrainer trainer(m_vision.options, scenes);
    TrainingState state = trainer.state();
    std::ranges::fill(state.parameters, std::numeric_limits<float>::infinity());
    trainer.resume(state);
    QVERIFY_ERROR(trainer.step(), "the loss of step 0", "not finite");
  }

 private:
  TinyVision m_vision;
};

EQUIPATCH_TEST(tst_vision_trainer)
#include "tst_vision_trainer.moc"
