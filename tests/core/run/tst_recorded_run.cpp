// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_job.h"

#include <QTemporaryDir>
#include <algorithm>
#include <optional>

#include "core/record/file/file_claim.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "core/run/backend.h"
#include "core/work/worker.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/core/run/tiny_session.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/core/work/recording_listener.h"
#include "tests/support/full_disk.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr std::size_t kHeldSteps = 40;  ///< length of the runs that a full disk pauses

template <typename Sink>
struct KeptRun : Sink {
  void runStarted(std::shared_ptr<const RunHeader> given) override { header = given; }
  void endingRead(RunEnding read) override { ending = read; }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    steps.push_back(record);
    if (onStep) onStep();
  }
  std::shared_ptr<const RunHeader> header;
  std::vector<std::shared_ptr<const StepRecord>> steps;
  std::optional<RunEnding> ending;  ///< only if the run was read from a file
  std::function<void()> onStep;
};

using ReceivedRun = KeptRun<OpenedRunSink>;

struct ContinuedRun final : KeptRun<ContinuedRunSink> {
  void recordedIn(const std::filesystem::path& given) override { file = given; }
  void warned(const std::string& sentence) override { warning = sentence; }
  std::filesystem::path file;
  std::string warning;
};

}  // namespace

class tst_recorded_run : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    m_disk.reset();  // a failed test may have left the disk full
    m_folder = std::make_unique<QTemporaryDir>();
    // A stopped worker stops every later job, too.
    m_worker = std::make_unique<InlineWorker>(m_listener);
  }
  void aRecordedRunIsOpenedAsItWas();
  void aStoppedRunIsMarked();
  void aFullDiskPausesTheRun_data();
  void aFullDiskPausesTheRun();
  void aRunPausedByAFullDiskCanBeStopped_data() { aFullDiskPausesTheRun_data(); }
  void aRunPausedByAFullDiskCanBeStopped();
  void anImpossibleRunLeavesNoFile();
  void aDamagedRunIsReadUpToTheDamage();
  void aRunWithoutAStepIsReported();
  void openingStopsOnRequest();
  void aContinuedRunEqualsAnUndisturbedOne_data();
  void aContinuedRunEqualsAnUndisturbedOne();
  void aRunGoesOnInAnotherFile();
  void aRunIsStoppedAndContinuedTwice();
  void goesOnWithTheRecordedThreads();
  void aDamagedRunGoesOnInAnotherFile();
  void impossibleContinuationsAreRefused();
  void aWarningReportsDifferentResults();

 private:
  std::filesystem::path path() const {
    return m_folder->filePath("run.eqrun").toStdString();
  }
  std::string record(const std::shared_ptr<ReceivedRun>& received, std::int64_t steps) {
    m_worker->run(recordedRun(received, steps));
    return m_listener.log;
  }
  std::unique_ptr<Job> recordedRun(const std::shared_ptr<ReceivedRun>& received,
                                   std::int64_t steps) {
    return makeRecordedRunJob(
        m_tiny.session,
        {.prompt = test::tokensOf({5, 17, 3}),
         .steps = steps,
         .ignoreEndOfSequence = true},
        std::make_shared<RunRecorder>(path(), ExistingFile::Refuse, received));
  }
  /// Fills the disk after `taken` steps, so that the run's file cannot grow. After the
  /// last step nothing can be written at all: the ending may fit into existing pages.
  std::shared_ptr<ReceivedRun> receivedOnADiskThatFills(std::size_t taken) {
    auto received = std::make_shared<ReceivedRun>();
    received->onStep = [this, taken, &steps = received->steps] {
      if (steps.size() == taken)
        m_disk = std::make_unique<test::FullDisk>(
            taken == kHeldSteps ? 1 : std::filesystem::file_size(path()));
    };
    return received;
  }
  std::string open(const std::shared_ptr<ReceivedRun>& received) {
    m_worker->run(makeOpenRunJob(path(), received));
    return m_listener.log;
  }

  std::filesystem::path other() const {
    return m_folder->filePath("other.eqrun").toStdString();
  }
  /// Stops a run of `steps` steps after `taken` steps.
  void interrupt(std::size_t taken, std::int64_t steps) {
    const auto received = std::make_shared<ReceivedRun>();
    received->onStep = [&, sink = received.get()] {
      if (sink->steps.size() == taken) m_worker->stop();
    };
    record(received, steps);
    m_worker = std::make_unique<InlineWorker>(m_listener);
  }
  std::string goOn(const std::shared_ptr<ContinuedRun>& received,
                   UnfinishedRun::Target target = UnfinishedRun::Target::SameFile) {
    m_worker->run(makeContinuedRunJob(
        m_tiny.session, {.file = path(), .target = target, .other = other()}, received));
    return m_listener.log;
  }
  static Steps stepsOf(const std::filesystem::path& file) {
    const StoredRun run = readRun(file);
    return run.damage.empty() ? run.steps : Steps();
  }
  static bool same(const Steps& a, const Steps& b) {
    return std::ranges::equal(
        a, b, [](const auto& x, const auto& y) { return sameResults(*x, *y); });
  }

  test::TinySession m_tiny{{}};
  std::unique_ptr<test::FullDisk> m_disk;
  test::JobLog m_listener;
  std::unique_ptr<InlineWorker> m_worker = std::make_unique<InlineWorker>(m_listener);
  std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void tst_recorded_run::aRecordedRunIsOpenedAsItWas() {
  const auto taken = std::make_shared<ReceivedRun>();
  QCOMPARE(record(taken, 4), std::string("Run tiny, finished"));
  QCOMPARE(RunFile(path()).ending(), RunEnding::Complete);
  const auto opened = std::make_shared<ReceivedRun>();
  QCOMPARE(open(opened), std::string("Open run.eqrun, finished"));
  QVERIFY(*opened->header == *taken->header);
  QVERIFY(opened->ending == RunEnding::Complete);
  QCOMPARE(opened->steps.size(), 4u);
  for (std::size_t step = 0; step < 4; ++step)
    QVERIFY(*opened->steps[step] == *taken->steps[step]);
}

void tst_recorded_run::aStoppedRunIsMarked() {
  const auto received = std::make_shared<ReceivedRun>();
  received->onStep = [&] {
    if (received->steps.size() == 2) m_worker->stop();
  };
  QCOMPARE(record(received, 50), std::string("Run tiny, cancelled"));
  const StoredRun run = readRun(path());
  QCOMPARE(run.ending, RunEnding::Stopped);
  QCOMPARE(run.steps.size(), received->steps.size());
}

void tst_recorded_run::aFullDiskPausesTheRun_data() {
  QTest::addColumn<std::size_t>("taken");
  QTest::newRow("at a step") << std::size_t(3);
  QTest::newRow("at the ending") << kHeldSteps;
}

void tst_recorded_run::aFullDiskPausesTheRun() {
  QFETCH(std::size_t, taken);
  const auto received = receivedOnADiskThatFills(taken);
  test::RecordingListener listener;
  Worker worker(listener);
  const Generation run = worker.start(recordedRun(received, kHeldSteps));
  QVERIFY(listener.waitFor("1 paused"));
  const QStringList reported = listener.lines().filter("1 held: ");
  QCOMPARE(reported.size(), 1);
  QVERIFY2(reported.front().contains("cannot be recorded"), qPrintable(reported.front()));
  QVERIFY2(reported.front().endsWith("; the run is paused until it is resumed"),
           qPrintable(reported.front()));
  const std::size_t before = received->steps.size();
  QVERIFY(before >= taken && (before < kHeldSteps || before == taken));
  worker.resume();  // the disk is still full
  QVERIFY(listener.waitFor("1 paused", 2));
  QCOMPARE(received->steps.size(), before);
  m_disk.reset();
  worker.resume();
  QVERIFY(listener.waitForEnd(run));
  const StoredRun stored = readRun(path());
  QCOMPARE(stored.damage, std::string());
  QCOMPARE(stored.ending, RunEnding::Complete);
  QCOMPARE(stored.steps.size(), kHeldSteps);
  for (std::size_t step = 0; step < kHeldSteps; ++step)
    QCOMPARE(stored.steps[step]->token, received->steps[step]->token);
}

void tst_recorded_run::aRunPausedByAFullDiskCanBeStopped() {
  QFETCH(std::size_t, taken);
  const auto received = receivedOnADiskThatFills(taken);
  test::RecordingListener listener;
  Worker worker(listener);
  const Generation run = worker.start(recordedRun(received, kHeldSteps));
  QVERIFY(listener.waitFor("1 paused"));
  worker.stop();
  QVERIFY(listener.waitForEnd(run));
  QVERIFY(listener.lines().contains("1 cancelled"));
  m_disk.reset();
  const StoredRun stored = readRun(path());
  QCOMPARE(stored.damage, std::string());
  QCOMPARE(stored.steps.size(), received->steps.size());
  QCOMPARE(stored.ending, RunEnding::Interrupted);  // the run can be continued
}

void tst_recorded_run::anImpossibleRunLeavesNoFile() {
  const std::string log = record(std::make_shared<ReceivedRun>(), 100'000);
  QVERIFY2(log.find("positions, the model has") != std::string::npos, log.c_str());
  QVERIFY(!std::filesystem::exists(path()));
}

void tst_recorded_run::aDamagedRunIsReadUpToTheDamage() {
  record(std::make_shared<ReceivedRun>(), 4);
  test::tamper(path(), "DELETE FROM layers WHERE step = 2");
  const auto received = std::make_shared<ReceivedRun>();
  const std::string log = open(received);
  QVERIFY2(log.find("run.eqrun is damaged, only 2 steps can be read: step 2: expected 3 "
                    "layers, found 0") != std::string::npos,
           log.c_str());
  QCOMPARE(received->steps.size(), 2u);
  QVERIFY(received->ending == RunEnding::Interrupted);  // the run can be continued
}

void tst_recorded_run::aRunWithoutAStepIsReported() {
  record(std::make_shared<ReceivedRun>(), 1);
  for (const char* table : {"steps", "layers", "matrices", "vectors", "choices"})
    test::tamper(path(), QString("DELETE FROM ") + table);
  const auto received = std::make_shared<ReceivedRun>();
  const std::string log = open(received);
  QVERIFY2(log.ends_with("run.eqrun holds no finished step"), log.c_str());
  QVERIFY(received->header);
}

void tst_recorded_run::openingStopsOnRequest() {
  record(std::make_shared<ReceivedRun>(), 4);
  const auto received = std::make_shared<ReceivedRun>();
  received->onStep = [&] { m_worker->stop(); };
  QCOMPARE(open(received), std::string("Open run.eqrun, cancelled"));
  QCOMPARE(received->steps.size(), 1u);
}

void tst_recorded_run::aContinuedRunEqualsAnUndisturbedOne_data() {
  QTest::addColumn<int>("taken");
  for (const int taken : {0, 1, 2, 7, 11}) QTest::addRow("after %d", taken) << taken;
}

void tst_recorded_run::aContinuedRunEqualsAnUndisturbedOne() {
  QFETCH(int, taken);
  const auto undisturbed = std::make_shared<ReceivedRun>();
  record(undisturbed, 12);
  const Steps whole = stepsOf(path());
  QCOMPARE(whole.size(), 12u);
  std::filesystem::remove(path());
  // A killed program leaves a file without an ending.
  RunWriter writer(path(), *undisturbed->header);
  for (int step = 0; step < taken; ++step) writer.add(*whole[std::size_t(step)]);
  { const RunWriter closed(std::move(writer)); }
  const auto received = std::make_shared<ContinuedRun>();
  QVERIFY2(goOn(received).ends_with("finished"), m_listener.log.c_str());
  QCOMPARE(received->file, path());
  QCOMPARE(received->warning, std::string());
  QVERIFY(same(received->steps, whole));
  QVERIFY(same(stepsOf(path()), whole));
  const RunFile file(path());
  QVERIFY(file.ending() == RunEnding::Complete);
  QCOMPARE(file.header()->continuations.size(), 1u);
  QCOMPARE(file.header()->continuations[0].firstStep, std::int64_t(taken));
  QVERIFY(file.header()->continuations[0].repeats);
  QCOMPARE(file.header()->continuations[0].threads, std::int64_t(backend().threads()));
  QVERIFY(goOn(received).find("the run is complete with 12 steps") != std::string::npos);
}

void tst_recorded_run::aRunGoesOnInAnotherFile() {
  interrupt(3, 6);
  const RunLabels labels{.name = "mine", .notes = "of Mars", .tags = {"a", "b"}};
  saveLabels(path(), labels);
  const auto before = std::filesystem::file_size(path());
  const auto received = std::make_shared<ContinuedRun>();
  QVERIFY(goOn(received, UnfinishedRun::Target::OtherFile).ends_with("finished"));
  QCOMPARE(received->file, other());
  QCOMPARE(stepsOf(other()).size(), 6u);
  QVERIFY(labelsIn(other()) == labels);
  QCOMPARE(RunFile(other()).header()->continuations.size(), 1u);
  QCOMPARE(stepsOf(path()).size(), 3u);
  QCOMPARE(std::filesystem::file_size(path()), before);
}

void tst_recorded_run::aRunIsStoppedAndContinuedTwice() {
  record(std::make_shared<ReceivedRun>(), 20);
  const Steps whole = stepsOf(path());
  QCOMPARE(whole.size(), 20u);  // stepsOf returns none from a damaged file
  std::filesystem::remove(path());
  interrupt(4, 20);
  const auto received = std::make_shared<ContinuedRun>();
  received->onStep = [&] {
    if (received->steps.size() == 9) m_worker->stop();
  };
  QVERIFY(goOn(received).ends_with("cancelled"));
  QVERIFY(RunFile(path()).ending() == RunEnding::Stopped);
  QCOMPARE(stepsOf(path()).size(), 9u);
  m_worker = std::make_unique<InlineWorker>(m_listener);
  QVERIFY(goOn(std::make_shared<ContinuedRun>()).ends_with("finished"));
  QVERIFY(same(stepsOf(path()), whole));
  const std::vector<Continuation> continuations = RunFile(path()).header()->continuations;
  QCOMPARE(continuations.size(), 2u);
  QCOMPARE(continuations[1].firstStep, std::int64_t(9));
}

void tst_recorded_run::goesOnWithTheRecordedThreads() {
  auto threads = std::make_optional<ThreadsFor>(1);
  interrupt(2, 4);
  threads.emplace(2);
  QVERIFY(goOn(std::make_shared<ContinuedRun>()).ends_with("finished"));
  QCOMPARE(RunFile(path()).header()->continuations.at(0).threads, 1);
}

void tst_recorded_run::aDamagedRunGoesOnInAnotherFile() {
  record(std::make_shared<ReceivedRun>(), 8);
  const Steps whole = stepsOf(path());
  QCOMPARE(whole.size(), 8u);
  test::tamper(path(), "DELETE FROM steps WHERE step = 5");
  const auto refused = std::make_shared<ContinuedRun>();
  QVERIFY2(goOn(refused).find("run.eqrun: step 5: it is missing; continue the run in "
                              "another file") != std::string::npos,
           m_listener.log.c_str());
  QVERIFY(refused->steps.empty());
  m_worker->run(makeContinuedRunJob(
      m_tiny.session, {.file = path(), .target = UnfinishedRun::Target::Possible},
      refused));  // no other file was given
  QVERIFY2(m_listener.log.find("step 5: it is missing") != std::string::npos,
           m_listener.log.c_str());
  const auto received = std::make_shared<ContinuedRun>();
  QVERIFY(goOn(received, UnfinishedRun::Target::Possible).ends_with("finished"));
  QVERIFY(received->warning.starts_with("the whole run is recorded in " +
                                        other().string() + ": "));
  QVERIFY(received->warning.find("step 5") != std::string::npos);
  QCOMPARE(received->file, other());
  QVERIFY(same(stepsOf(other()), whole));
  QCOMPARE(RunFile(other()).header()->continuations[0].firstStep, std::int64_t(5));
}

void tst_recorded_run::impossibleContinuationsAreRefused() {
  interrupt(3, 6);
  const auto received = std::make_shared<ContinuedRun>();
  test::tamper(path(), "UPDATE manifest SET value = 'x' WHERE key = 'config_sha256'");
  QVERIFY(
      goOn(received).find("the run cannot continue with other weights; config.json") !=
      std::string::npos);
  std::filesystem::remove(path());
  interrupt(3, 6);
  test::tamper(path(), "UPDATE manifest SET value = 'bfloat16' WHERE key = 'dtype'");
  QVERIFY(goOn(received).ends_with(
      "the run cannot continue in float32; load its model in bfloat16"));
  std::filesystem::remove(path());
  interrupt(3, 6);
  test::tamper(path(), "UPDATE manifest SET value = 2 WHERE key = 'steps'");
  QVERIFY(goOn(received).find("has 3 steps, and its run asked for 2") !=
          std::string::npos);
  std::filesystem::remove(path());
  interrupt(3, 6);
  test::tamper(path(),
               "DELETE FROM digests; UPDATE steps SET continued = 1 WHERE step = 2");
  QVERIFY(goOn(received).find("the run cannot continue here; step 2, computed again") !=
          std::string::npos);
  QVERIFY(received->steps.empty());
  QVERIFY(RunFile(path()).ending() == RunEnding::Stopped);
  {
    const auto held = FileClaim::take(path());
    QVERIFY(goOn(received).find("is being recorded right now") != std::string::npos);
  }
}

void tst_recorded_run::aWarningReportsDifferentResults() {
  interrupt(3, 6);
  test::tamper(path(), "DELETE FROM digests; UPDATE steps SET linf = 0.5 WHERE step = 2");
  const auto received = std::make_shared<ContinuedRun>();
  QVERIFY(goOn(received).ends_with("finished"));
  QVERIFY2(received->warning.find("L∞ ") != std::string::npos, received->warning.c_str());
  QVERIFY(!RunFile(path()).header()->continuations[0].repeats);
}

EQUIPATCH_TEST(tst_recorded_run)
#include "tst_recorded_run.moc"
