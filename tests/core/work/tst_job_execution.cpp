// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/worker.h"

#include <atomic>
#include <new>
#include <optional>
#include <stdexcept>

#include "tests/core/work/recording_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::job;
using test::RecordingListener;

/// The events of one job, the same for Worker and InlineWorker.
class tst_job_execution : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void reportsStartAndEnd_data() { twins(); }
  void reportsStartAndEnd();
  void reportsProgress_data() { twins(); }
  void reportsProgress();
  void everyExceptionIsOneFailure_data();
  void everyExceptionIsOneFailure();
  void keepsTheKindOfAnError();
  void aJobThatNobodyCanResumeFails();
  void cancelledErrorIsACancellation_data() { twins(); }
  void cancelledErrorIsACancellation();
  void aJobWhoseNameThrowsFails_data() { twins(); }
  void aJobWhoseNameThrowsFails();
  void aFailureDoesNotHarmTheNextJob_data() { twins(); }
  void aFailureDoesNotHarmTheNextJob();
  void generationsNumberTheJobsFromOne_data() { twins(); }
  void generationsNumberTheJobsFromOne();
  void theJobIsDestroyedBeforeItsEndIsReported_data() { twins(); }
  void theJobIsDestroyedBeforeItsEndIsReported();
  void aFailureWhileStoppingIsStillAFailure();

 private:
  static void twins();
};

namespace {

/// Runs each job to its end, on a Worker or an InlineWorker.
class Runner {
 public:
  explicit Runner(bool onThread) {
    if (onThread)
      m_worker.emplace(m_listener);
    else
      m_inline.emplace(m_listener);
  }

  Generation run(std::unique_ptr<Job> work) {
    if (m_inline) return m_inline->run(std::move(work));
    const Generation generation = m_worker->start(std::move(work));
    m_listener.waitForEnd(generation);
    return generation;
  }
  QStringList lines() const { return m_listener.lines(); }
  RecordingListener& listener() { return m_listener; }

 private:
  RecordingListener m_listener;
  std::optional<Worker> m_worker;
  std::optional<InlineWorker> m_inline;
};

class NamelessJob final : public Job {
 public:
  std::string name() const override { throw std::runtime_error("no name"); }
  void run(Control&) override {}
};

using Thrower = void (*)();

}  // namespace

Q_DECLARE_METATYPE(Thrower)

void tst_job_execution::twins() {
  QTest::addColumn<bool>("onThread");
  QTest::newRow("Worker") << true;
  QTest::newRow("InlineWorker") << false;
}

void tst_job_execution::reportsStartAndEnd() {
  QFETCH(bool, onThread);
  Runner runner(onThread);
  runner.run(job([](Control&) {}, "Load a model"));
  QCOMPARE(runner.lines(), (QStringList{"1 started: Load a model", "1 finished"}));
}

/// On the command line nobody can resume a job, which would otherwise wait for ever.
void tst_job_execution::aJobThatNobodyCanResumeFails() {
  Runner runner(false);
  runner.run(job(
      [](Control& control) { control.hold(Error(ErrorKind::Resource, "no space")); }));
  QCOMPARE(runner.lines().last(), QStringLiteral("1 failed: no space"));
}

void tst_job_execution::reportsProgress() {
  QFETCH(bool, onThread);
  Runner runner(onThread);
  runner.run(job([](Control& control) {
    control.report(0.0, "first half");
    if (control.pass()) control.report(0.5, "second half");
  }));
  QCOMPARE(runner.lines(), (QStringList{"1 started: job", "1 progressed: first half",
                                        "1 progressed: second half", "1 finished"}));
}

void tst_job_execution::everyExceptionIsOneFailure_data() {
  QTest::addColumn<bool>("onThread");
  QTest::addColumn<Thrower>("thrower");
  QTest::addColumn<QString>("sentence");
  struct Row {
    const char* name;
    Thrower thrower;
    const char* sentence;
  };
  const Row rows[] = {
      {"Error", [] { throw badInput("config.json is missing"); },
       "config.json is missing"},
      {"standard", [] { throw std::out_of_range("vector::at"); },
       "job: the computation failed with 'vector::at'"},
      {"backtrace", [] { throw std::runtime_error("shapes differ\nframe #0: f()\n"); },
       "job: the computation failed with 'shapes differ'"},
      {"memory", [] { throw std::bad_alloc(); },
       "job: memory ran out; close other programs, or choose a smaller model or dtype"},
      {"foreign", [] { throw 42; }, "job: the computation failed for an unknown reason"},
  };
  for (const bool onThread : {true, false})
    for (const Row& row : rows)
      QTest::addRow("%s, %s", row.name, onThread ? "Worker" : "InlineWorker")
          << onThread << row.thrower << row.sentence;
}

void tst_job_execution::everyExceptionIsOneFailure() {
  QFETCH(bool, onThread);
  QFETCH(Thrower, thrower);
  QFETCH(QString, sentence);
  Runner runner(onThread);
  runner.run(job([thrower](Control&) { thrower(); }));
  QCOMPARE(runner.lines(), (QStringList{"1 started: job", "1 failed: " + sentence}));
}

void tst_job_execution::keepsTheKindOfAnError() {
  for (const ErrorKind kind : {ErrorKind::BadInput, ErrorKind::Unsupported,
                               ErrorKind::Numeric, ErrorKind::Resource}) {
    RecordingListener listener;
    Gate gate;
    Control control(1, {}, gate, listener);
    const JobOutcome outcome =
        execute(job([kind](Control&) { throw Error(kind, "why"); }), control, listener);
    QCOMPARE(outcome.kind, JobOutcome::Kind::Failed);
    QCOMPARE(outcome.error->kind(), kind);
  }
}

void tst_job_execution::cancelledErrorIsACancellation() {
  QFETCH(bool, onThread);
  Runner runner(onThread);
  runner.run(job([](Control&) { throw Error(ErrorKind::Cancelled, "stopped"); }));
  QCOMPARE(runner.lines(), (QStringList{"1 started: job", "1 cancelled"}));
}

void tst_job_execution::aJobWhoseNameThrowsFails() {
  QFETCH(bool, onThread);
  Runner runner(onThread);
  runner.run(std::make_unique<NamelessJob>());
  QCOMPARE(runner.lines(), (QStringList{"1 started: unnamed job",
                                        "1 failed: unnamed job: the computation failed "
                                        "with 'no name'"}));
}

void tst_job_execution::aFailureDoesNotHarmTheNextJob() {
  QFETCH(bool, onThread);
  Runner runner(onThread);
  runner.run(job([](Control&) { throw badInput("broken"); }));
  runner.run(job([](Control&) {}));
  QCOMPARE(runner.lines(), (QStringList{"1 started: job", "1 failed: broken",
                                        "2 started: job", "2 finished"}));
}

void tst_job_execution::generationsNumberTheJobsFromOne() {
  QFETCH(bool, onThread);
  Runner runner(onThread);
  for (Generation expected = 1; expected <= 5; ++expected) {
    Generation seen = 0;
    const Generation returned =
        runner.run(job([&seen](Control& control) { seen = control.generation(); }));
    QCOMPARE(returned, expected);
    QCOMPARE(seen, expected);
  }
}

void tst_job_execution::theJobIsDestroyedBeforeItsEndIsReported() {
  QFETCH(bool, onThread);
  Runner runner(onThread);
  // A job's model must be freed before the window learns of the end and loads another.
  for (const bool fails : {false, true}) {
    auto held = std::make_shared<int>(0);
    const std::weak_ptr<int> watched = held;
    std::atomic<bool> goneAtEnd = false;
    runner.listener().onEvent = [&](const QString& line) {
      if (!line.contains("started")) goneAtEnd = watched.expired();
    };
    auto work = job([held = std::move(held), fails](Control&) {
      if (fails) throw badInput("broken");
    });
    runner.run(std::move(work));
    QVERIFY(goneAtEnd);
  }
}

void tst_job_execution::aFailureWhileStoppingIsStillAFailure() {
  RecordingListener listener;
  InlineWorker worker(listener);
  worker.run(job([&worker](Control&) {
    worker.stop();
    throw badInput("the disk is full");
  }));
  QCOMPARE(listener.lines(),
           (QStringList{"1 started: job", "1 failed: the disk is full"}));
}

EQUIPATCH_TEST(tst_job_execution)
#include "tst_job_execution.moc"
