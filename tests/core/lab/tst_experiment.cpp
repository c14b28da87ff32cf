// SPDX-License-Identifier: GPL-3.0-or-later
#include <condition_variable>
#include <mutex>
#include <set>

#include "core/lab/experiment.h"
#include "core/work/worker.h"
#include "tests/core/lab/lab_run.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Waits for events of a worker and keeps the newest result.
class Events final : public test::IgnoringListener, public LabSink {
 public:
  void jobPaused(Generation) override {
    set([&] { ++m_pauses; });
  }
  void jobFinished(Generation) override { end("finished"); }
  void jobCancelled(Generation) override { end("cancelled"); }
  void jobFailed(Generation, const Error& error) override { end(error.what()); }
  void labUpdated(std::shared_ptr<const LabResult> grown) override {
    set([&] { m_result = std::move(grown); });
  }

  /// Waits until the job has paused `count` times. @returns false after two minutes
  bool waitForPauses(int count) {
    return waitFor([&] { return m_pauses >= count; });
  }
  std::string waitForEnd() {
    waitFor([&] { return !m_end.empty(); });
    return m_end;
  }
  std::shared_ptr<const LabResult> result() {
    const std::lock_guard lock(m_mutex);
    return m_result;
  }

 private:
  template <typename Change>
  void set(Change change) {
    const std::lock_guard lock(m_mutex);
    change();
    m_changed.notify_all();
  }
  void end(const std::string& how) {
    set([&] { m_end = how; });
  }
  template <typename Condition>
  bool waitFor(Condition condition) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(120), condition);
  }

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::shared_ptr<const LabResult> m_result;
  int m_pauses = 0;
  std::string m_end;
};

LabRequest request(const char* steps) {
  LabSettings settings(experimentNamed("theorem").settings, LabPreset::Quick);
  for (const auto& [name, value] : test::tiny()) settings.set(name, value);
  settings.set("steps", steps);
  settings.set("grid", "2");
  return {.experiment = "theorem", .settings = settings, .seed = 3};
}

}  // namespace

class tst_experiment : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void allExperimentsAreComplete();
  void defaultsAreAllowed();
  void anUnknownNameListsTheKnownOnes();

  void pausesAndResumes();
  void aStoppedExperimentEndsAsCancelled();
  void resultRecordsSettingsSeedAndVersion();
  void aPauseChangesNoValue();
  void anUnknownExperimentIsRefused();
};

void tst_experiment::allExperimentsAreComplete() {
  QCOMPARE(experiments().size(), 9u);
  std::set<std::string> names;
  for (const Experiment& experiment : experiments()) {
    names.insert(experiment.name);
    QVERIFY(!experiment.title.empty() && experiment.claim.ends_with('.'));
    QVERIFY(experiment.run != nullptr);
    QCOMPARE(&experimentNamed(experiment.name), &experiment);
    std::set<std::string> settings;
    for (const LabSetting& setting : experiment.settings) settings.insert(setting.name);
    QCOMPARE(settings.size(), experiment.settings.size());
  }
  QCOMPARE(names.size(), experiments().size());
}

void tst_experiment::defaultsAreAllowed() {
  for (const Experiment& experiment : experiments())
    for (const LabPreset preset : {LabPreset::Quick, LabPreset::Paper}) {
      const bool paper = preset == LabPreset::Paper;
      LabSettings settings(experiment.settings, preset);
      for (const LabSetting& setting : experiment.settings) {
        QCOMPARE(setting.quick.index(), setting.paper.index());
        settings.set(setting.name, toText(paper ? setting.paper : setting.quick));
      }
      QCOMPARE(settings.preset(), std::string(paper ? "paper" : "quick"));
    }
}

void tst_experiment::anUnknownNameListsTheKnownOnes() {
  QVERIFY_ERROR(experimentNamed("magic"), "\"magic\"", "theorem", "words");
}

void tst_experiment::pausesAndResumes() {
  const auto events = std::make_shared<Events>();
  Worker worker(*events);
  worker.start(makeLabJob(request("20"), events), Worker::Start::Paused);
  QVERIFY(events->waitForPauses(1));
  worker.resume();
  QCOMPARE(events->waitForEnd(), std::string("finished"));
  QVERIFY(events->result()->finished);
}

void tst_experiment::aStoppedExperimentEndsAsCancelled() {
  const auto events = std::make_shared<Events>();
  Worker worker(*events);
  worker.start(makeLabJob(request("10000000"), events), Worker::Start::Paused);
  QVERIFY(events->waitForPauses(1));
  worker.resume();
  worker.stop();
  QCOMPARE(events->waitForEnd(), std::string("cancelled"));
}

void tst_experiment::resultRecordsSettingsSeedAndVersion() {
  const LabResult result =
      test::runLab("theorem", {{"steps", "2"}, {"pairs", "3"}, {"grid", "2"}}, 9);
  QVERIFY(result.finished);
  QCOMPARE(result.origin.setting, std::string("own"));
  QCOMPARE(result.origin.seed, std::uint64_t{9});
  QCOMPARE(result.origin.threads, std::int64_t{1});
  QCOMPARE(result.origin.program, std::string(EQUIPATCH_VERSION));
  QVERIFY(!result.origin.torch.empty() && result.origin.startTime.ends_with('Z'));
  QCOMPARE(result.origin.choices.size(), experimentNamed("theorem").settings.size());
}

void tst_experiment::aPauseChangesNoValue() {
  const auto events = std::make_shared<Events>();
  {
    Worker worker(*events);
    worker.start(makeLabJob(request("12"), events), Worker::Start::Paused);
    QVERIFY(events->waitForPauses(1));
    worker.stepOnce();
    QVERIFY(events->waitForPauses(2));
    worker.resume();
    QCOMPARE(events->waitForEnd(), std::string("finished"));
  }
  test::Changes changes = test::tiny();
  changes["grid"] = "2";
  const LabResult plain = test::runLab("theorem", changes, 3);
  QVERIFY(events->result()->panels == plain.panels);
  QVERIFY(events->result()->scalars == plain.scalars);
}

void tst_experiment::anUnknownExperimentIsRefused() {
  LabRequest unknown = request("1");
  unknown.experiment = "magic";
  QVERIFY_ERROR(makeLabJob(unknown, std::make_shared<Events>()), "magic");
}

EQUIPATCH_TEST(tst_experiment)
#include "tst_experiment.moc"
