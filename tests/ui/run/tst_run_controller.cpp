// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.h"

#include <QSignalSpy>

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

using Phase = RunController::Phase;
constexpr int kEndless = 100000;  // more steps than any test waits for

struct ControllerSetup {
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  RunSettings settings;

  ControllerSetup() {
    settings.model.folder = "/models/tiny";
    settings.prompt.text = "Once upon a";
    settings.run.steps = 20;
  }
};

}  // namespace

class tst_run_controller : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void loadsAModel();
  void aRunLoadsTheModelAndComputesAllSteps();
  void aSecondRunDoesNotReloadTheModel();
  void reloadsWhenTheDtypeChanges();
  void aRunRequestedDuringALoadStartsAfterIt();
  void aPausedRunComputesOneStepThenResumes();
  void aSingleStepStartsARunAndPausesIt();
  void stopsAndKeepsTheSteps();
  void stopEndsALoadAndDropsThePendingRun();
  void reportsFailuresAndKeepsTheSteps();
  void loadFailureDropsThePendingRun();
  void refusesATextIfTheModelHasNoTokenizer();
  void refusesAnEmptyPrompt();
  void loadingDuringARunDropsTheRunsLateResults();
  void afterAMemoryShortageTheRunWaitsForLoadAnyway();
  void rendersAChatBeforeTheRun();
  void aLongTextIsPreparedByTheWorker();
  void aPreparedPromptIsNotPreparedAgain();
  void aPromptPreparedBeforeTheLoadIsPreparedAgain();
  void aRefusedChatRunsNothing();
  void withoutATemplateAChatPromptStaysUnchanged();
  void theAbsorbedPartIsParsedWithTheTokens();
  void aPromptOfTokenIdsNeedsNoTokenizer();
  void startingOverEndsTheRunInProgress();
  void showingAnEarlierRunDropsTheJobsResults();
  void unloadsDuringALoad();
};

void tst_run_controller::loadsAModel() {
  ControllerSetup s;
  QSignalSpy changed(&s.controller, &RunController::modelChanged);
  s.controller.load(s.settings.model);
  QCOMPARE(s.controller.phase(), Phase::Loading);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QVERIFY(s.controller.loaded());
  QCOMPARE(s.controller.loaded()->name, std::string("tiny"));
  QCOMPARE(changed.count(), 2);
}

void tst_run_controller::aRunLoadsTheModelAndComputesAllSteps() {
  ControllerSetup s;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.engine.loads(), 1);
  QCOMPARE(s.engine.lastRequest().prompt.size(), std::size_t(4));
  QCOMPARE(s.engine.lastRequest().promptText, std::string("Once upon a"));
}

void tst_run_controller::aSecondRunDoesNotReloadTheModel() {
  ControllerSetup s;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  s.controller.run(s.settings);
  QTRY_COMPARE(s.engine.runs(), 2);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.engine.loads(), 1);
  QCOMPARE(s.model.stepCount(), 20);
}

void tst_run_controller::reloadsWhenTheDtypeChanges() {
  ControllerSetup s;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  s.settings.model.dtype = DType::F32;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.engine.runs(), 2);
  QCOMPARE(s.engine.loads(), 2);
  QVERIFY(s.engine.lastModel().dtype == DType::F32);
}

void tst_run_controller::aRunRequestedDuringALoadStartsAfterIt() {
  ControllerSetup s;
  s.controller.load(s.settings.model);
  s.controller.run(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.engine.loads(), 1);
}

void tst_run_controller::aPausedRunComputesOneStepThenResumes() {
  ControllerSetup s;
  s.settings.run.steps = kEndless;
  s.controller.run(s.settings);
  QTRY_VERIFY(s.model.stepCount() > 0);
  s.controller.pause();
  QTRY_COMPARE(s.controller.phase(), Phase::Paused);
  const int count = s.model.stepCount();
  s.controller.step(s.settings);
  QTRY_COMPARE(s.model.stepCount(), count + 1);
  QTRY_COMPARE(s.controller.phase(), Phase::Paused);
  QCOMPARE(s.model.stepCount(), count + 1);
  s.controller.run(s.settings);
  QTRY_VERIFY(s.model.stepCount() > count + 1);
  QCOMPARE(s.controller.phase(), Phase::Running);
}

void tst_run_controller::aSingleStepStartsARunAndPausesIt() {
  ControllerSetup s;
  s.controller.step(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 1);
  QTRY_COMPARE(s.controller.phase(), Phase::Paused);
  s.controller.step(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 2);
}

void tst_run_controller::stopsAndKeepsTheSteps() {
  ControllerSetup s;
  s.controller.step(s.settings);
  // The run may also pause for a moment before its step.
  QTRY_COMPARE(s.model.stepCount(), 1);
  QTRY_COMPARE(s.controller.phase(), Phase::Paused);
  s.controller.stop();
  QCOMPARE(s.controller.phase(), Phase::Stopping);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.model.stepCount(), 1);
}

void tst_run_controller::stopEndsALoadAndDropsThePendingRun() {
  ControllerSetup s;
  s.controller.run(s.settings);
  s.controller.stop();
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.engine.runs(), 0);
}

void tst_run_controller::reportsFailuresAndKeepsTheSteps() {
  ControllerSetup s;
  s.engine.failAfter = 7;
  QSignalSpy failed(&s.controller, &RunController::failed);
  s.controller.run(s.settings);
  QTRY_COMPARE(failed.count(), 1);
  QVERIFY(failed[0][0].toString().contains(QStringLiteral("Layer 3, mlp_out")));
  QCOMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.model.stepCount(), 7);
}

void tst_run_controller::loadFailureDropsThePendingRun() {
  ControllerSetup s;
  s.engine.loadFailure = "config.json is missing.";
  QSignalSpy failed(&s.controller, &RunController::failed);
  s.controller.run(s.settings);
  QTRY_COMPARE(failed.count(), 1);
  QCOMPARE(s.controller.phase(), Phase::Idle);
  QVERIFY(!s.controller.loaded());
  QCOMPARE(s.engine.runs(), 0);
}

void tst_run_controller::refusesATextIfTheModelHasNoTokenizer() {
  ControllerSetup s;
  s.engine.hasTokenizer = false;
  s.controller.load(s.settings.model);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QVERIFY_ERROR(s.controller.run(s.settings), "/models/tiny", "no tokenizer");
  QCOMPARE(s.controller.phase(), Phase::Idle);
}

void tst_run_controller::refusesAnEmptyPrompt() {
  ControllerSetup s;
  s.controller.load(s.settings.model);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  s.settings.prompt.text.clear();
  QVERIFY_ERROR(s.controller.run(s.settings), "prompt is empty");
  QVERIFY_ERROR(s.controller.step(s.settings), "prompt is empty");
  QCOMPARE(s.engine.runs(), 0);
}

void tst_run_controller::loadingDuringARunDropsTheRunsLateResults() {
  ControllerSetup s;
  s.settings.run.steps = kEndless;
  s.controller.run(s.settings);
  QTRY_VERIFY(s.model.stepCount() > 0);
  s.settings.model.folder = "/models/other";
  s.controller.load(s.settings.model);
  const int count = s.model.stepCount();
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.controller.loaded()->name, std::string("other"));
  QCOMPARE(s.model.stepCount(), count);
}

void tst_run_controller::afterAMemoryShortageTheRunWaitsForLoadAnyway() {
  ControllerSetup s;
  s.engine.shortage = std::make_shared<const MemoryShortage>(
      MemoryShortage{.model = "tiny", .sentence = "too much"});
  std::string sentence;
  connect(&s.controller, &RunController::memoryShortage, this,
          [&](const MemoryShortage& shortage) { sentence = shortage.sentence; });
  s.controller.run(s.settings);
  QTRY_COMPARE(sentence, std::string("too much"));
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QVERIFY(!s.controller.loaded());
  QCOMPARE(s.engine.runs(), 0);
  s.settings.model.dtype = DType::BF16;
  s.controller.loadAnyway(s.settings.model);
  QTRY_COMPARE(s.model.stepCount(), 20);  // the run that waited
  QVERIFY(s.engine.lastModel() == s.settings.model);
}

void tst_run_controller::rendersAChatBeforeTheRun() {
  ControllerSetup s;
  s.engine.hasChat = true;
  s.settings.prompt.form = PromptForm::Chat;
  s.settings.prompt.text = "Hello";
  s.controller.run(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QCOMPARE(s.engine.lastRequest().promptText, std::string("<user> Hello <model> "));
  QCOMPARE(s.engine.lastRequest().prompt.size(), std::size_t(3));  // nothing added
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  s.settings.prompt.text = "Bye";
  s.controller.run(s.settings);
  QTRY_COMPARE(s.engine.lastRequest().promptText, std::string("<user> Bye <model> "));
}

/// The worker prepares a long text, so that Stop can end the preparation.
void tst_run_controller::aLongTextIsPreparedByTheWorker() {
  ControllerSetup s;
  s.controller.load(s.settings.model);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  s.settings.prompt.text.assign(100'000, 'a');
  s.controller.run(s.settings);
  QCOMPARE(s.controller.phase(), Phase::Loading);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QCOMPARE(s.engine.prompts(), 1);
}

void tst_run_controller::aPreparedPromptIsNotPreparedAgain() {
  ControllerSetup s;
  s.engine.hasChat = true;
  s.controller.load(s.settings.model);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  s.settings.prompt.form = PromptForm::Chat;
  auto prompt = std::make_shared<PreparedPrompt>();
  prompt->text = "rendered before";
  prompt->tokens = {{.id = TokenId(5)}, {.id = TokenId(6)}};
  prompt->absorbed.keepsGenerated = true;
  s.settings.prepared = prompt;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QCOMPARE(s.engine.prompts(), 0);
  QCOMPARE(s.engine.lastRequest().promptText, prompt->text);
  QVERIFY(s.engine.lastRequest().prompt == prompt->tokens);
  QVERIFY(s.engine.lastRequest().absorbed == prompt->absorbed);
}

void tst_run_controller::aPromptPreparedBeforeTheLoadIsPreparedAgain() {
  ControllerSetup s;
  s.settings.prepared = std::make_shared<PreparedPrompt>();
  s.controller.run(s.settings);  // loads a model first
  QTRY_COMPARE(s.model.stepCount(), 20);
  QCOMPARE(s.engine.lastRequest().promptText, std::string("Once upon a"));
}

void tst_run_controller::aRefusedChatRunsNothing() {
  ControllerSetup s;
  s.engine.hasChat = true;
  s.settings.prompt.form = PromptForm::Chat;
  s.settings.prompt.text = "refuse";
  QSignalSpy failed(&s.controller, &RunController::failed);
  s.controller.run(s.settings);
  QTRY_COMPARE(failed.count(), 1);
  QCOMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.engine.runs(), 0);
}

void tst_run_controller::withoutATemplateAChatPromptStaysUnchanged() {
  ControllerSetup s;
  s.settings.prompt.form = PromptForm::Chat;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QCOMPARE(s.engine.lastRequest().promptText, s.settings.prompt.text);
}

void tst_run_controller::theAbsorbedPartIsParsedWithTheTokens() {
  ControllerSetup s;
  s.settings.prompt.absorb = "keep-bos";
  s.controller.run(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QVERIFY(s.engine.lastRequest().absorbed.keptPrompt ==
          (std::vector<PositionRange>{{0, 0}}));
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  s.settings.prompt.absorb = "0-99";
  QVERIFY_ERROR(s.controller.run(s.settings), "position 99 is not in the prompt");
  QCOMPARE(s.controller.phase(), Phase::Idle);
}

void tst_run_controller::aPromptOfTokenIdsNeedsNoTokenizer() {
  ControllerSetup s;
  s.engine.hasTokenizer = false;
  s.settings.run.prompt = {{.id = TokenId(5)}, {.id = TokenId(6)}};
  s.settings.run.absorbed.keepsGenerated = true;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.model.stepCount(), 20);
  QVERIFY(s.engine.lastRequest().prompt == s.settings.run.prompt);
  QVERIFY(s.engine.lastRequest().absorbed.keepsGenerated);
}

void tst_run_controller::startingOverEndsTheRunInProgress() {
  ControllerSetup s;
  s.settings.run.steps = kEndless;
  s.controller.run(s.settings);
  QTRY_VERIFY(s.model.stepCount() > 2);
  const auto before = s.model.sharedHeader();
  std::vector<RunController::ComputedRun> ended;
  connect(&s.controller, &RunController::runEnded, this,
          [&ended](const RunController::ComputedRun& run) { ended.push_back(run); });
  s.settings.run.steps = 4;
  s.controller.startOver(s.settings);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.model.stepCount(), 4);
  QCOMPARE(s.engine.runs(), 2);
  QCOMPARE(ended.size(), std::size_t{2});
  QCOMPARE(ended[0].header, before);
  QCOMPARE(ended[0].ending, RunEnding::Stopped);
  QCOMPARE(ended[1].header, s.model.sharedHeader());
  QCOMPARE(ended[1].ending, RunEnding::Complete);
}

void tst_run_controller::showingAnEarlierRunDropsTheJobsResults() {
  ControllerSetup s;
  s.controller.run(s.settings);
  QTRY_VERIFY(s.model.stepCount() == 20 && s.controller.phase() == Phase::Idle);
  const DisplayedRun earlier = s.controller.displayed();
  QCOMPARE(earlier.steps.size(), std::size_t(20));
  QCOMPARE(earlier.ending, RunEnding::Complete);
  QVERIFY(!earlier.isOpened && !s.controller.isOpened());
  s.settings.run.steps = kEndless;
  s.controller.run(s.settings);
  QTRY_VERIFY(s.model.header() != earlier.header.get() && s.model.stepCount() > 2);
  QVERIFY(s.controller.isComputing());
  const auto abandoned = s.model.sharedHeader();
  std::shared_ptr<const RunHeader> ended;
  connect(
      &s.controller, &RunController::runEnded, this,
      [&ended](const RunController::ComputedRun& run) { ended = run.header; },
      Qt::SingleShotConnection);
  s.controller.show(earlier);
  QVERIFY(!s.controller.isComputing());
  QCOMPARE(s.model.header(), earlier.header.get());
  QCOMPARE(s.model.stepCount(), 20);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.model.stepCount(), 20);
  QCOMPARE(ended, abandoned);
  QCOMPARE(s.controller.ending(), RunEnding::Complete);
  s.controller.show({});
  QVERIFY(!s.model.header() && s.model.empty() && s.controller.file().empty());
  QVERIFY(s.controller.loaded());
  s.controller.run(s.settings);  // the controller still works
  QTRY_VERIFY(s.model.stepCount() > 2);
}

void tst_run_controller::unloadsDuringALoad() {
  ControllerSetup s;
  for (int round = 0; round < 50; ++round) {
    s.controller.load(s.settings.model);
    s.controller.unload();
    QVERIFY(!s.controller.loaded() && !s.controller.modelRequest());
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QVERIFY(!s.controller.loaded());
    s.controller.load(s.settings.model);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QVERIFY(s.controller.loaded());
  }
}

EQUIPATCH_TEST(tst_run_controller)
#include "tst_run_controller.moc"
