// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_job.h"

#include "core/work/worker.h"
#include "tests/core/run/tiny_session.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using equipatch::test::tokensOf;

namespace {

struct Sink final : RunSink, SessionSink {
  void runStarted(std::shared_ptr<const RunHeader> given) override { header = given; }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    steps.push_back(record);
    if (onStep) onStep();
  }
  void sessionOpened(std::shared_ptr<const Session> given) override { session = given; }

  std::shared_ptr<const RunHeader> header;
  std::vector<std::shared_ptr<const StepRecord>> steps;
  std::shared_ptr<const Session> session;
  std::function<void()> onStep;
};

}  // namespace

class tst_run_job : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void loadingHandsOverTheSession();
  void aFailedLoadNamesTheFolder();
  void aRunPassesItsHeaderThenItsSteps();
  void aStoppedRunKeepsItsSteps();
  void aStopDuringTheLastStepComesTooLate();
  void anImpossibleRunFailsBeforeItsHeader();
};

void tst_run_job::loadingHandsOverTheSession() {
  test::JobLog listener;
  InlineWorker worker(listener);
  const auto sink = std::make_shared<Sink>();
  worker.run(makeLoadJob({.folder = test::data("golden/llama3_tied")}, sink));
  QCOMPARE(listener.log, std::string("Load llama3_tied, finished"));
  QCOMPARE(sink->session->modelName(), std::string("llama3_tied"));
}

void tst_run_job::aFailedLoadNamesTheFolder() {
  test::JobLog listener;
  InlineWorker worker(listener);
  worker.run(makeLoadJob({.folder = "/nonexistent"}, std::make_shared<Sink>()));
  const QString log = QString::fromStdString(listener.log);
  QVERIFY(log.contains("failed: "));
  QVERIFY(log.contains("/nonexistent"));
}

void tst_run_job::aRunPassesItsHeaderThenItsSteps() {
  const test::TinySession tiny({.family = "gemma3_text"});
  test::JobLog listener;
  InlineWorker worker(listener);
  const auto sink = std::make_shared<Sink>();
  sink->onStep = [&] { QVERIFY(sink->header); };
  worker.run(makeRunJob(
      tiny.session,
      {.prompt = tokensOf({1, 2, 3}), .steps = 4, .ignoreEndOfSequence = true}, sink));
  QCOMPARE(listener.log, std::string("Run tiny, finished"));
  QCOMPARE(listener.lastFraction, 1.0);
  QCOMPARE(sink->steps.size(), 4u);
  QCOMPARE(sink->header->layers, 3);
  QVERIFY(sink->header->closesWithScale);
  QCOMPARE(sink->header->patchedMatrices,
           (std::vector<std::string>{"gate", "up", "down"}));
  QCOMPARE(sink->header->request.prompt.size(), 3u);
}

void tst_run_job::aStoppedRunKeepsItsSteps() {
  const test::TinySession tiny({});
  test::JobLog listener;
  InlineWorker worker(listener);
  const auto sink = std::make_shared<Sink>();
  sink->onStep = [&] {
    if (sink->steps.size() == 2) worker.stop();
  };
  worker.run(makeRunJob(
      tiny.session,
      {.prompt = tokensOf({1, 2}), .steps = 50, .ignoreEndOfSequence = true}, sink));
  QVERIFY(QString::fromStdString(listener.log).endsWith("cancelled"));
  QCOMPARE(sink->steps.size(), 2u);
}

void tst_run_job::aStopDuringTheLastStepComesTooLate() {
  const test::TinySession tiny({});
  test::JobLog listener;
  InlineWorker worker(listener);
  const auto sink = std::make_shared<Sink>();
  sink->onStep = [&] {
    if (sink->steps.size() == 2) worker.stop();
  };
  worker.run(makeRunJob(
      tiny.session, {.prompt = tokensOf({1, 2}), .steps = 2, .ignoreEndOfSequence = true},
      sink));
  QCOMPARE(listener.log, std::string("Run tiny, finished"));
  QCOMPARE(sink->steps.size(), 2u);
}

void tst_run_job::anImpossibleRunFailsBeforeItsHeader() {
  const test::TinySession tiny({});
  test::JobLog listener;
  InlineWorker worker(listener);
  const auto sink = std::make_shared<Sink>();
  worker.run(makeRunJob(tiny.session, {.prompt = tokensOf({1}), .steps = 1000}, sink));
  const QString log = QString::fromStdString(listener.log);
  QVERIFY2(log.contains("positions, the model has"), qPrintable(log));
  QVERIFY(!sink->header);
}

EQUIPATCH_TEST(tst_run_job)
#include "tst_run_job.moc"
