// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <latch>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/test_case.h"
#include "tests/trainer/tiny_training.h"
#include "trainer/training/trainer.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

std::vector<StepReport> run(Trainer& trainer, int steps) {
  std::vector<StepReport> reports;
  for (int i = 0; i < steps; ++i) reports.push_back(trainer.step());
  return reports;
}

}  // namespace

class tst_trainer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theLossFalls() {
    const BatchMaker documents = m_training.documents();
    Trainer trainer(m_training.options, documents);
    std::uint64_t unseen = 100000;
    const std::vector<Batch> batches = {documents.make(unseen, 2000)};
    const double before = trainer.loss(batches);
    const auto reports = run(trainer, 60);
    QVERIFY(trainer.loss(batches) < before - 2);
    QVERIFY(reports.back().loss < reports.front().loss - 2);
    QCOMPARE(trainer.state().step, 60);
    std::int64_t tokens = 0;
    for (const StepReport& report : reports) tokens += report.tokens;
    QCOMPARE(trainer.state().tokens, tokens);
  }

  void anInterruptedTrainingGivesTheSameBits() {
    const BatchMaker documents = m_training.documents();
    Trainer whole(m_training.options, documents);
    run(whole, 8);
    Trainer first(m_training.options, documents);
    run(first, 3);
    const auto path = m_training.folder() / "state.safetensors";
    saveState(path, first.state());
    Trainer second(m_training.options, documents);
    second.resume(loadState(path, second.network().layout().size()));
    run(second, 5);
    QVERIFY(second.state().parameters == whole.state().parameters);
    QVERIFY(second.state().expAvgSq == whole.state().expAvgSq);
    QCOMPARE(second.state().nextDocument, whole.state().nextDocument);
  }

  void theNumberOfThreadsChangesNothing() {
    const BatchMaker documents = m_training.documents();
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 3}) {
      TrainingOptions options = m_training.options;
      options.shards = 3;
      options.threads = threads;
      Trainer trainer(options, documents);
      run(trainer, 4);
      results.push_back(trainer.state().parameters);
    }
    QVERIFY(results[0] == results[1]);
    QVERIFY(results[0] == results[2]);
  }

  void aLossOfNanEndsTheTraining() {
    const BatchMaker documents = m_training.documents();
    Trainer trainer(m_training.options, documents);
    TrainingState state = trainer.state();
    std::ranges::fill(state.parameters, std::numeric_limits<float>::infinity());
    trainer.resume(state);
    QVERIFY_ERROR(trainer.step(), "the loss of step 0", "not finite");
  }

  void initialParametersAreScaledAndSeeded() {
    const NetworkShape& shape = m_training.options.shape;
    const auto values = initialParameters(shape, 1);
    QVERIFY(values == initialParameters(shape, 1));
    QVERIFY(values != initialParameters(shape, 2));
    const ParameterLayout layout(shape);
    const MatrixRange embedding = layout.embedding();
    double squares = 0;
    for (std::int64_t i = 0; i < embedding.rows * embedding.columns; ++i)
      squares +=
          std::pow(double{values[static_cast<std::size_t>(embedding.offset + i)]}, 2);
    // The mean squared norm of an embedding row is 1.
    QVERIFY(std::abs(squares / static_cast<double>(embedding.rows) - 1) < 0.05);
    QCOMPARE(values[static_cast<std::size_t>(layout.layer(0).inputNorm)], 0.0f);
    QCOMPARE(values[static_cast<std::size_t>(layout.layer(0).postMlpNorm)], -0.5f);
  }

  void theLearningRateRisesAndFalls() {
    const Schedule schedule{.peak = 1, .final = 0.1, .warmUp = 10, .steps = 110};
    QCOMPARE(schedule.rate(0), 0.1);
    QCOMPARE(schedule.rate(9), 1.0);
    QVERIFY(qFuzzyCompare(schedule.rate(60), 0.55));
    QVERIFY(qFuzzyCompare(schedule.rate(110), 0.1));
    QVERIFY(qFuzzyCompare(schedule.rate(1000), 0.1));
    const Schedule small{.peak = 1e-5, .final = 1e-4, .warmUp = 10, .steps = 110};
    for (const std::int64_t step : {9, 60, 110}) QCOMPARE(small.rate(step), 1e-5);
  }

  void everyShardIsComputedOnce_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 7}) QTest::addRow("%d threads", threads) << threads;
  }
  void everyShardIsComputedOnce() {
    QFETCH(int, threads);
    std::vector<int> counts(5);
    inShards(counts.size(), threads, [&](std::size_t shard) { ++counts[shard]; });
    QCOMPARE(counts, std::vector<int>(5, 1));
  }

  /// Each call waits for the other, which would never end on one thread.
  void shardsAreComputedInParallel() {
    std::latch both(2);
    inShards(2, 2, [&](std::size_t) { both.arrive_and_wait(); });
    QVERIFY(both.try_wait());
  }

  void gradientsTooLargeForMemoryAreRefused() {
    QVERIFY(shardGradients(2, 3) == (std::vector<std::vector<float>>(2, {0, 0, 0})));
    QVERIFY_ERROR(shardGradients(std::int64_t{1} << 62, 1000), "4611686018427387904",
                  "fewer shards");
  }

  void theFirstExceptionIsRethrownAtTheEnd() {
    std::atomic<int> done = 0;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, inShards(4, 2, [&](std::size_t shard) {
                               ++done;
                               if (shard == 1) throw std::runtime_error("shard 1");
                             }));
    QCOMPARE(done.load(), 4);
    std::string rethrown;
    try {
      inShards(4, 1, [](std::size_t shard) {
        if (shard > 0) throw std::runtime_error("shard " + std::to_string(shard));
      });
    } catch (const std::runtime_error& error) {
      rethrown = error.what();
    }
    QCOMPARE(rethrown, "shard 1");
  }

 private:
  TinyTraining m_training;
};

EQUIPATCH_TEST(tst_trainer)
#include "tst_trainer.moc"
