// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/earlier_steps.h"

#include <QTemporaryDir>
#include <algorithm>

#include "core/record/file/file_claim.h"
#include "core/record/file/run_writer.h"
#include "core/work/worker.h"
#include "tests/core/record/tamper.h"
#include "tests/core/run/tiny_session.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct LastSink final : ContinuedRunSink {
  void runStarted(std::shared_ptr<const RunHeader>) override {}
  void stepTaken(std::shared_ptr<const StepRecord>) override {}
  void endingRead(RunEnding) override {}
  void recordedIn(const std::filesystem::path&) override {}
  void warned(const std::string&) override {}
};

constexpr std::int64_t kAll = 6;
/// Deletes a factor of step 3.
constexpr const char* kLoseFactor =
    "DELETE FROM vectors WHERE step = 3 AND kind = 'w' AND layer = 1";
/// Leaves the file as if the program had been killed before the last step.
constexpr const char* kLoseEnd =
    "DELETE FROM steps WHERE step = 5; DELETE FROM manifest WHERE key = 'ending'";

}  // namespace

class tst_earlier_steps : public equipatch::test::TestCase {
  Q_OBJECT

 protected:
  void prepare() override {
    m_folder = std::make_unique<QTemporaryDir>();
    QCOMPARE(record(), std::string("Run tiny, finished"));
  }

 private Q_SLOTS:
  void onlyACopyDropsStepsWithDamagedFactors();
  void aRunWithDamagedFactorsGoesOnInAnotherFile();
  void refusingAContinuationNeedsNoModel();
  void readingStopsOnRequest();
  void theOutputPathIsCheckedBeforeComputing();

 private:
  std::filesystem::path path(const char* name = "run.eqrun") const {
    return m_folder->filePath(name).toStdString();
  }
  EarlierSteps read(UnfinishedRun::Target target) {
    return {{.file = path(), .target = target, .other = path("other.eqrun")}, m_control};
  }
  std::string goOn(const std::filesystem::path& other) {
    test::JobLog log;
    InlineWorker worker(log);
    worker.run(makeContinuedRunJob(
        m_tiny.session,
        {.file = path(), .target = UnfinishedRun::Target::OtherFile, .other = other},
        std::make_shared<LastSink>()));
    return log.log;
  }
  std::shared_ptr<const PatchFactors> factorsOf(const char* name,
                                                std::size_t step) const {
    return RunFile(path(name))
        .step(StepIndex(std::int64_t(step)), FactorDetail::Include)
        ->factors;
  }

  /// Records a complete run with its patch factors.
  std::string record() const {
    test::JobLog log;
    InlineWorker worker(log);
    worker.run(
        makeRecordedRunJob(m_tiny.session,
                           {.prompt = test::tokensOf({5, 17, 3}),
                            .steps = kAll,
                            .ignoreEndOfSequence = true,
                            .keepFactors = true},
                           std::make_shared<RunRecorder>(path(), ExistingFile::Refuse,
                                                         std::make_shared<LastSink>())));
    return log.log;
  }

  test::TinySession m_tiny{{}};
  test::JobLog m_listener;
  Gate m_gate;
  std::stop_source m_stop;
  Control m_control{1, m_stop.get_token(), m_gate, m_listener};
  std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_earlier_steps::onlyACopyDropsStepsWithDamagedFactors() {
  test::tamper(path(), kLoseFactor);
  QVERIFY_ERROR(read(UnfinishedRun::Target::SameFile), "complete with 6 steps");
  test::tamper(path(), kLoseEnd);
  EarlierSteps steps = read(UnfinishedRun::Target::OtherFile);
  QCOMPARE(steps.steps().size(), 5u);
  steps.dropStepsWithoutFactors(m_control);
  QCOMPARE(steps.steps().size(), 3u);
  QVERIFY2(steps.damage().starts_with("step 3: "), steps.damage().c_str());
  QCOMPARE(steps.tokens(3).size(), 3u);
}

void tst_earlier_steps::aRunWithDamagedFactorsGoesOnInAnotherFile() {
  const StoredRun whole = readRun(path());
  const auto lost = factorsOf("run.eqrun", 3);
  test::tamper(path(), kLoseFactor);
  const std::string log = goOn(path("other.eqrun"));
  QVERIFY2(log.ends_with("finished"), log.c_str());
  const StoredRun copy = readRun(path("other.eqrun"));
  QVERIFY(copy.ending == RunEnding::Complete);
  QCOMPARE(copy.header->continuations.at(0).firstStep, 3);
  QVERIFY(std::ranges::equal(copy.steps, whole.steps, [](const auto& a, const auto& b) {
    return sameResults(*a, *b);
  }));
  QVERIFY(*factorsOf("other.eqrun", 3) == *lost);
}

void tst_earlier_steps::refusingAContinuationNeedsNoModel() {
  using Target = UnfinishedRun::Target;
  for (const Target target : {Target::SameFile, Target::Possible, Target::OtherFile})
    QVERIFY_ERROR(read(target), "complete with 6 steps; nothing is left to continue");
  {
    const auto held = FileClaim::take(path());
    QVERIFY_ERROR(read(Target::SameFile), "is being recorded right now");
  }
  test::tamper(path(), "UPDATE manifest SET value = 2 WHERE key = 'steps'");
  QVERIFY_ERROR(read(Target::SameFile), "has 6 steps, and its run asked for 2");
}

void tst_earlier_steps::readingStopsOnRequest() {
  test::tamper(path(), kLoseEnd);
  EarlierSteps steps = read(UnfinishedRun::Target::OtherFile);
  std::stop_source stop;
  stop.request_stop();
  const Control stopped{1, stop.get_token(), m_gate, m_listener};
  QVERIFY_ERROR(steps.dropStepsWithoutFactors(stopped), "stopped");
  QCOMPARE(steps.steps().size(), 5u);  // a stop does not drop steps
  QVERIFY_ERROR(EarlierSteps({.file = path()}, stopped), "stopped");
}

/// The test changes the last step's token. A job that computed this step again before
/// it checked the path would report the token, not the path.
void tst_earlier_steps::theOutputPathIsCheckedBeforeComputing() {
  test::tamper(path(), kLoseEnd);
  test::tamper(path(),
               "DELETE FROM digests; UPDATE steps SET continued = 1 WHERE step = 4");
  const std::string log = goOn(path("no/other.eqrun"));
  QVERIFY2(log.find("other.eqrun: there is no folder") != std::string::npos, log.c_str());
}

EQUIPATCH_TEST(tst_earlier_steps)
#include "tst_earlier_steps.moc"
