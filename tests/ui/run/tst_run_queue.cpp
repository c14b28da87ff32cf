// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_queue.h"

#include <QSignalSpy>
#include <chrono>
#include <semaphore>
#include <set>

#include "core/base/error.h"
#include "tests/core/work/recording_listener.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

using Phase = RunController::Phase;
constexpr int kMoreStepsThanAnyTestNeeds = 100000;

struct QueueSetup {
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  int recorded = 0;
  RunQueue queue{controller, [this](const RunSettings&) {
                   return std::filesystem::path("/runs/" + std::to_string(++recorded));
                 }};

  std::vector<RunSettings> grid(int steps = 5) const {
    RunSettings base;
    base.model.folder = "/models/tiny";
    base.prompt.text = "Once upon a";
    base.run.steps = steps;
    return precisionGrid(base);
  }
};

}  // namespace

class tst_run_queue : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void queuedRunsAreComputedOneAfterTheOther() {
    QueueSetup s;
    s.queue.start(s.grid());
    QTRY_COMPARE(s.engine.runs(), 4);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(s.engine.loads(), 2);  // float32, then bfloat16 for the other three
    QCOMPARE(s.recorded, 4);
    QCOMPARE(s.engine.lastRecord().string(), "/runs/4");
    QCOMPARE(s.model.header()->request.patch.loop, Loop::Closed);
    QCOMPARE(s.queue.left(), 0);
  }

  void pausingKeepsTheRemainingRuns() {
    QueueSetup s;
    s.queue.start(s.grid(kMoreStepsThanAnyTestNeeds));
    QTRY_VERIFY(s.model.stepCount() > 2);
    s.controller.pause();
    QTRY_COMPARE(s.controller.phase(), Phase::Paused);
    QCOMPARE(s.queue.left(), 3);
  }

  void stoppingEndsTheQueue() {
    QueueSetup s;
    s.queue.start(s.grid(kMoreStepsThanAnyTestNeeds));
    QTRY_VERIFY(s.model.stepCount() > 2);
    s.controller.stop();
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(s.queue.left(), 0);
    QCOMPARE(s.engine.runs(), 1);
  }

  void aStopAfterTheLastStepLeavesTheRunComplete() {
    QueueSetup s;
    s.controller.load({.folder = "/models/tiny", .dtype = DType::F32});
    QTRY_VERIFY(s.controller.loaded() && s.controller.phase() == Phase::Idle);
    s.queue.start(s.grid());
    QCOMPARE(s.controller.phase(), Phase::Running);
    // All steps are computed, but the controller does not know yet that the run ended.
    QVERIFY(s.engine.runsComputed->try_acquire_for(std::chrono::seconds(60)));
    QSignalSpy ended(&s.controller, &RunController::runEnded);
    s.controller.stop();
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(s.model.stepCount(), 5);
    QVERIFY(s.controller.ending() == RunEnding::Complete);
    QCOMPARE(ended.count(), 1);
    QVERIFY(ended.front().front().value<RunController::ComputedRun>().ending ==
            RunEnding::Complete);
    QCOMPARE(s.queue.left(), 0);
    QCOMPARE(s.engine.runs(), 1);
  }

  void aFailureEndsTheQueue() {
    QueueSetup s;
    s.engine.failAfter = 2;
    s.queue.start(s.grid());
    QTRY_COMPARE(s.queue.left(), 0);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(s.engine.runs(), 1);
  }

  void decliningToLoadTheModelEndsTheQueue() {
    QueueSetup s;
    s.engine.shortage = std::make_shared<const MemoryShortage>();
    QSignalSpy shortage(&s.controller, &RunController::memoryShortage);
    s.queue.start(s.grid());
    QTRY_COMPARE(shortage.count(), 1);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(s.queue.left(), 3);
    s.controller.stop();  // the user declines to load the model
    QCOMPARE(s.queue.left(), 0);
    s.controller.loadAnyway(s.grid().front().model);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QVERIFY(s.controller.loaded());
    QCOMPARE(s.engine.runs(), 0);
  }

  /// The stop comes after the job has found too little memory, but before the controller
  /// knows.
  void aStoppedLoadDoesNotAskAboutMemory() {
    QueueSetup s;
    s.engine.shortage = std::make_shared<const MemoryShortage>();
    const QSignalSpy shortage(&s.controller, &RunController::memoryShortage);
    const QSignalSpy stopped(&s.controller, &RunController::runStopped);
    s.queue.start(s.grid());
    QVERIFY(s.engine.refusals->try_acquire_for(std::chrono::seconds(60)));
    s.controller.stop();
    QTRY_COMPARE(stopped.count(), 1);
    QCOMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(shortage.count(), 0);
    QCOMPARE(s.queue.left(), 0);
  }

  /// The job has found too little memory; another job replaces it before the controller
  /// knows.
  void aReplacedLoadDoesNotAskAboutMemory() {
    QueueSetup s;
    const QSignalSpy shortage(&s.controller, &RunController::memoryShortage);
    const auto lackMemory = [&s] {
      s.engine.shortage = std::make_shared<const MemoryShortage>();
      s.controller.load(s.grid().front().model);
      QVERIFY(s.engine.refusals->try_acquire_for(std::chrono::seconds(60)));
      s.engine.shortage = nullptr;
    };
    RunSettings other = s.grid().front();
    other.model.folder = "/models/other";
    lackMemory();
    s.controller.load(other.model);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QVERIFY(s.controller.loaded());
    lackMemory();
    s.controller.startOver(other);
    QTRY_COMPARE(s.model.stepCount(), 5);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    lackMemory();
    s.controller.openRun("/runs/a.eqrun");
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(shortage.count(), 0);
  }

  void runsWithTheSameModelRequestGetTheLoadedDtype() {
    QueueSetup s;
    s.engine.shortage = std::make_shared<const MemoryShortage>();
    QSignalSpy shortage(&s.controller, &RunController::memoryShortage);
    std::vector<RunSettings> runs(3, s.grid().front());
    runs.back().model.dtype = DType::F64;
    s.queue.start(runs);
    QTRY_COMPARE(shortage.count(), 1);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    runs.front().model.dtype = DType::BF16;
    s.controller.loadAnyway(runs.front().model);
    QTRY_COMPARE(shortage.count(), 2);  // for the last run, which asks for another dtype
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(s.engine.runs(), 2);
    QVERIFY(s.model.header()->dtype == DType::BF16);
    s.engine.shortage = nullptr;
    s.controller.loadAnyway(runs.back().model);
    QTRY_COMPARE(s.engine.runs(), 3);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QVERIFY(s.engine.lastModel().dtype == DType::F64);
  }

  void aModelWithoutTokenizerEndsTheQueue() {
    QueueSetup s;
    s.engine.hasTokenizer = false;
    QString problem;
    connect(&s.controller, &RunController::failed, this,
            [&](const QString& sentence) { problem = sentence; });
    s.queue.start(s.grid());
    QTRY_VERIFY(problem.contains("no tokenizer"));
    QCOMPARE(s.queue.left(), 0);
    QCOMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(s.engine.runs(), 0);
  }

  void equalMethodsAreReportedOnce() {
    for (const char* methods : {"all", "balanced"}) {
      QueueSetup s;
      s.engine.plan.parameters = {{.methods = methods}};
      QSignalSpy equal(&s.queue, &RunQueue::noticed);
      s.queue.start(s.grid());
      QTRY_COMPARE(s.engine.runs(), 4);
      QTRY_COMPARE(s.controller.phase(), Phase::Idle);
      QCOMPARE(equal.count(), methods == std::string("all") ? 1 : 0);
      std::vector<RunSettings> one = s.grid();
      one.resize(1);
      s.queue.start(std::move(one));
      QTRY_COMPARE(s.engine.runs(), 5);
      QTRY_COMPARE(s.controller.phase(), Phase::Idle);
      QCOMPARE(equal.count(), methods == std::string("all") ? 1 : 0);
    }
  }

  void equalMethodsOfAnotherModelAreIgnored() {
    QueueSetup s;
    s.engine.plan.parameters = {{.methods = "all"}};
    s.controller.load({.folder = "/models/other"});
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    s.engine.plan.parameters = {{.methods = "balanced"}};
    const QSignalSpy equal(&s.queue, &RunQueue::noticed);
    s.queue.start(s.grid());
    QTRY_COMPARE(s.engine.runs(), 4);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(equal.count(), 0);
  }

  void aRunAfterAStoppedQueueIsNotPartOfIt() {
    QueueSetup s;
    s.queue.start(s.grid(kMoreStepsThanAnyTestNeeds));
    QTRY_VERIFY(s.model.stepCount() > 2);
    s.controller.stop();
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    s.engine.plan.parameters = {{.methods = "all"}};
    QSignalSpy equal(&s.queue, &RunQueue::noticed);
    QSignalSpy finished(&s.controller, &RunController::runFinished);
    RunSettings single = s.grid().front();
    single.model.folder = "/models/other";
    s.controller.run(single);
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(equal.count(), 0);
  }

  void startingOverKeepsTheLoadInProgress() {
    QueueSetup s;
    const RunSettings run = s.grid().front();
    std::binary_semaphore ended(0);  // ends the job that the load waits for
    s.worker.start(s.worker.addUser(), test::job([&](Control&) { ended.acquire(); }));
    s.controller.load(run.model);
    s.controller.startOver(run);
    s.controller.startOver(run);
    ended.release();
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QVERIFY(s.controller.loaded());
    QCOMPARE(s.model.stepCount(), 5);
    QCOMPARE(s.engine.loads(), 1);
    QCOMPARE(s.engine.runs(), 1);
  }

  /// For example, the lab starts an experiment during the load.
  void aRunWhoseLoadIsEndedByAnotherJobIsDropped() {
    QueueSetup s;
    QSignalSpy stopped(&s.controller, &RunController::runStopped);
    WorkerBridge& lab = s.worker.addUser();
    std::binary_semaphore ended(0);  // ends the job that the load waits for
    s.worker.start(lab, test::job([&](Control&) { ended.acquire(); }));
    s.controller.run(s.grid().front());
    s.worker.start(lab, test::job([](Control&) {}));
    ended.release();
    QTRY_COMPARE(stopped.count(), 1);
    QCOMPARE(s.controller.phase(), Phase::Idle);
    s.controller.stop();
    QCOMPARE(stopped.count(), 1);
  }

  void failedStartsLeaveNothingQueued() {
    QueueSetup s;
    std::vector<RunSettings> grid = s.grid();
    s.controller.load(grid.front().model);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    grid.front().prompt.text.clear();
    QVERIFY_THROWS_EXCEPTION(Error, s.queue.start(grid));
    QCOMPARE(s.queue.left(), 0);
  }

  void thePrecisionGridHasFourRuns() {
    RunSettings base;
    base.model.folder = "/models/tiny";
    base.model.computeFloat32 = true;
    base.prompt.text = "Once";
    base.run.steps = 33;
    base.run.patch.application = Application::Materialised;
    base.prompt.absorb = "0-1";
    const std::vector<RunSettings> grid = precisionGrid(base);
    QCOMPARE(grid.size(), std::size_t(4));
    std::set<std::tuple<DType, Method, Loop>> cells;
    for (const RunSettings& run : grid) {
      cells.insert({run.model.dtype.value(), run.run.patch.method, run.run.patch.loop});
      QCOMPARE(run.model.folder.string(), "/models/tiny");
      QVERIFY(!run.model.computeFloat32);  // else bfloat16 would not round
      QCOMPARE(run.prompt.text, "Once");
      QCOMPARE(run.run.steps, 33);
      QCOMPARE(run.run.patch.application, Application::Materialised);
      QCOMPARE(run.prompt.absorb, "0-1");
    }
    QVERIFY((cells == std::set<std::tuple<DType, Method, Loop>>{
                          {DType::F32, Method::Balanced, Loop::Closed},
                          {DType::BF16, Method::Direct, Loop::Open},
                          {DType::BF16, Method::Stable, Loop::Open},
                          {DType::BF16, Method::Balanced, Loop::Closed}}));
  }
};

EQUIPATCH_TEST(tst_run_queue)
#include "tst_run_queue.moc"
