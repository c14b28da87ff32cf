#include "core/run/run_file_jobs.h"

#include <QTemporaryDir>

#include "core/record/run_file.h"
#include "core/record/run_recorder.h"
#include "core/work/inline_worker.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct Listener final : WorkerListener {
  void jobStarted(Generation, const std::string& name) override { log = name; }
  void jobProgressed(Generation, double, const std::string&) override {}
  void jobPaused(Generation) override {}
  void jobResumed(Generation) override {}
  void jobFinished(Generation) override { log += ", finished"; }
  void jobCancelled(Generation) override { log += ", cancelled"; }
  void jobFailed(Generation, const Error& error) override {
    log += std::string(", failed: ") + error.what();
  }
  std::string log;
};

struct Heard final : RunSink {
  void runStarted(std::shared_ptr<const RunHeader> given) override { header = given; }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    steps.push_back(record);
    if (onStep) onStep();
  }
  std::shared_ptr<const RunHeader> header;
  std::vector<std::shared_ptr<const StepRecord>> steps;
  std::function<void()> onStep;
};

}  // namespace

class tst_run_file_jobs : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_worker = std::make_unique<InlineWorker>(m_listener);  // the last may be stopped
  }
  void aRecordedRunIsOpenedAsItWas();
  void aStoppedRunSaysSo();
  void anImpossibleRunLeavesNoFile();
  void aDamagedRunIsToldUpToTheDamage();
  void openingStopsOnRequest();

 private:
  std::filesystem::path path() const {
    return m_folder->filePath("run.eqrun").toStdString();
  }
  std::string record(const std::shared_ptr<Heard>& heard, std::int64_t steps) {
    m_worker->run(makeRecordedRunJob(
        m_tiny.session,
        {.prompt = test::tokensOf({5, 17, 3}),
         .steps = steps,
         .ignoreEndOfSequence = true},
        std::make_shared<RunRecorder>(path(), ExistingFile::Refuse, heard)));
    return m_listener.log;
  }
  std::string open(const std::shared_ptr<Heard>& heard) {
    m_worker->run(makeOpenRunJob(path(), heard));
    return m_listener.log;
  }

  test::TinySession m_tiny{{}};
  Listener m_listener;
  std::unique_ptr<InlineWorker> m_worker = std::make_unique<InlineWorker>(m_listener);
  std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void tst_run_file_jobs::aRecordedRunIsOpenedAsItWas() {
  const auto taken = std::make_shared<Heard>();
  QCOMPARE(record(taken, 4), std::string("Run tiny, finished"));
  QCOMPARE(RunFile(path()).ending(), RunEnding::Complete);
  const auto opened = std::make_shared<Heard>();
  QCOMPARE(open(opened), std::string("Open run.eqrun, finished"));
  QVERIFY(*opened->header == *taken->header);
  QCOMPARE(opened->steps.size(), 4u);
  for (std::size_t step = 0; step < 4; ++step)
    QVERIFY(*opened->steps[step] == *taken->steps[step]);
}

void tst_run_file_jobs::aStoppedRunSaysSo() {
  const auto heard = std::make_shared<Heard>();
  heard->onStep = [&] {
    if (heard->steps.size() == 2) m_worker->stop();
  };
  QCOMPARE(record(heard, 50), std::string("Run tiny, cancelled"));
  const StoredRun run = readRun(path());
  QCOMPARE(run.ending, RunEnding::Stopped);
  QCOMPARE(run.steps.size(), heard->steps.size());
}

void tst_run_file_jobs::anImpossibleRunLeavesNoFile() {
  const std::string log = record(std::make_shared<Heard>(), 100'000);
  QVERIFY2(log.find("failed: ") != std::string::npos, log.c_str());
  QVERIFY(!std::filesystem::exists(path()));
}

void tst_run_file_jobs::aDamagedRunIsToldUpToTheDamage() {
  record(std::make_shared<Heard>(), 4);
  test::tamper(path(), "DELETE FROM layers WHERE step = 2");
  const auto heard = std::make_shared<Heard>();
  const std::string log = open(heard);
  QVERIFY2(log.find("run.eqrun is damaged, only 2 steps can be read: step 2: expected 3 "
                    "layers, found 0") != std::string::npos,
           log.c_str());
  QCOMPARE(heard->steps.size(), 2u);
}

void tst_run_file_jobs::openingStopsOnRequest() {
  record(std::make_shared<Heard>(), 4);
  const auto heard = std::make_shared<Heard>();
  heard->onStep = [&] { m_worker->stop(); };
  QCOMPARE(open(heard), std::string("Open run.eqrun, cancelled"));
  QCOMPARE(heard->steps.size(), 1u);
}

EQUIPATCH_TEST(tst_run_file_jobs)
#include "tst_run_file_jobs.moc"
