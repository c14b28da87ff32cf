// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_controller.h"

#include <QDir>
#include <QSignalSpy>
#include <chrono>

#include "core/record/lab_result.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/run/run_controller.h"

using namespace equipatch;

namespace {

using LabPhase = LabController::Phase;

struct LabSetup {
  test::ScratchSettings settings;
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController runs{engine, model, worker};
  LabController lab{engine, worker};

  LabRequest counting(const char* steps) {
    LabRequest request{"counting",
                       LabSettings(engine.experiments()[0].settings, LabPreset::Quick)};
    request.settings.set("steps", steps);
    return request;
  }
};

}  // namespace

class tst_lab_controller : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void resultsAreShownAndSaved() {
    LabSetup s;
    QSignalSpy changes(&s.lab, &LabController::resultChanged);
    s.lab.start(s.counting("7"));
    QCOMPARE(s.lab.phase(), LabPhase::Running);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(changes.count() >= 2);
    QVERIFY(s.lab.result()->finished);
    QCOMPARE(s.lab.result()->scalars[0].value, 6.0);
    const LabResult saved = readLabResult(s.lab.file().toStdString());
    QVERIFY(saved == *s.lab.result());
    QVERIFY(s.lab.file().startsWith(LabController::folder()));
  }

  void aFinishedResultIsShownAgain() {
    LabSetup s;
    QVERIFY(!s.lab.showAgain(s.counting("7")));
    const auto compute = [&](const LabRequest& request) {
      s.lab.start(request);
      QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    };
    compute(s.counting("7"));
    const auto first = s.lab.result();
    const QString file = s.lab.file();
    compute({"words", LabSettings(s.engine.experiments()[1].settings, LabPreset::Quick)});
    QVERIFY(s.lab.result() != first);
    QVERIFY(!s.lab.showAgain(s.counting("8")));  // other settings
    QVERIFY(s.lab.showAgain(s.counting("7")));
    QCOMPARE(s.lab.phase(), LabPhase::Idle);
    QCOMPARE(s.lab.result(), first);
    QCOMPARE(s.lab.file(), file);
    s.lab.start(s.counting("1000000"));
    QTRY_VERIFY(s.lab.result());
    s.lab.stop();
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(!s.lab.showAgain(s.counting("1000000")));  // it is not finished
    QVERIFY(s.lab.showAgain(s.counting("7")));
  }

  void theResultShownAgainIsTheRequestedOne() {
    LabSetup s;
    s.lab.start(s.counting("7"));
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    const auto first = s.lab.result();
    const auto awaitReports = [&s] {
      return s.engine.labsReported->try_acquire_for(std::chrono::seconds(60));
    };
    QVERIFY(awaitReports());
    s.lab.start(s.counting("8"));
    // It is finished, but its result waits for the event loop.
    QVERIFY(awaitReports());
    QVERIFY(s.lab.showAgain(s.counting("7")));
    QCOMPARE(s.lab.result(), first);
  }

  /// The result still waited for the event loop when the next experiment began.
  void aRefusedExperimentRestoresAPendingResult() {
    LabSetup s;
    s.lab.start(s.counting("7"));
    QVERIFY(s.engine.labsReported->try_acquire_for(std::chrono::seconds(60)));
    QVERIFY(!s.lab.result());
    s.engine.refusesRuns = true;
    s.lab.start(s.counting("8"));
    const auto before = s.lab.resultBefore();
    QVERIFY(before && before->finished);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QCOMPARE(s.lab.result(), before);
  }

  void aRefusedExperimentRestoresTheResult() {
    LabSetup s;
    s.lab.start(s.counting("7"));
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    const auto result = s.lab.result();
    const QString file = s.lab.file();
    s.engine.refusesRuns = true;
    QSignalSpy failed(&s.lab, &LabController::failed);
    s.lab.start(s.counting("8"));
    QVERIFY(!s.lab.result());
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(s.lab.result(), result);
    QCOMPARE(s.lab.file(), file);
    QVERIFY(s.lab.showAgain(s.counting("7")));
  }

  void pausesAndResumes() {
    LabSetup s;
    s.lab.start(s.counting("1000000"));
    QTRY_VERIFY(s.lab.result());
    s.lab.pause();
    QTRY_COMPARE(s.lab.phase(), LabPhase::Paused);
    const double before = s.lab.result()->scalars[0].value;
    s.lab.resume();
    QTRY_COMPARE(s.lab.phase(), LabPhase::Running);
    QTRY_VERIFY(s.lab.result()->scalars[0].value > before);
  }

  void aStoppedExperimentsResultIsSaved() {
    LabSetup s;
    s.lab.start(s.counting("1000000"));
    QTRY_VERIFY(s.lab.result());
    s.lab.stop();
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(!readLabResult(s.lab.file().toStdString()).finished);
  }

  void finishingSavesTheResultOnce() {
    LabSetup s;
    s.lab.start(s.counting("1000000"));
    QTRY_VERIFY(s.lab.result());
    s.lab.finish();
    QCOMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(readLabResult(s.lab.file().toStdString()) == *s.lab.result());
    // Jobs run one after another: once this one has ended, so has the first.
    s.lab.start(s.counting("2"));
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QCOMPARE(QDir(LabController::folder()).entryList(QDir::Files).size(), 2);
  }

  void reportsAfterFinishingAreDropped() {
    LabSetup s;
    const QSignalSpy progress(&s.lab, &LabController::progressed);
    s.lab.start(s.counting("7"));
    // The reports then wait for the event loop.
    QVERIFY(s.engine.labsReported->try_acquire_for(std::chrono::seconds(60)));
    s.lab.finish();
    QCoreApplication::processEvents();
    QCOMPARE(progress.count(), 0);
  }

  void anotherExperimentReplacesTheRunningOne() {
    LabSetup s;
    s.lab.start(s.counting("1000000"));
    QTRY_VERIFY(s.lab.result());
    s.lab.start(s.counting("3"));
    QTRY_VERIFY(s.lab.result() && s.lab.result()->finished);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QCOMPARE(QDir(LabController::folder()).entryList(QDir::Files).size(), 2);
  }

  void runsAndExperimentsStopEachOther() {
    LabSetup s;
    RunSettings run;
    run.model.folder = "/models/tiny";
    run.prompt.text = "Once";
    run.run.steps = 100000;
    s.runs.run(run);
    QTRY_VERIFY(s.model.stepCount() > 0);
    s.lab.start(s.counting("1000000"));
    QTRY_COMPARE(s.runs.phase(), RunController::Phase::Idle);
    QTRY_VERIFY(s.lab.result());
    run.run.steps = 3;
    s.runs.run(run);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(!s.lab.file().isEmpty());
    QTRY_COMPARE(s.model.stepCount(), 3);
  }

  void aFailedSaveIsReported() {
    LabSetup s;
    QSignalSpy failed(&s.lab, &LabController::failed);
    QDir().mkpath(QFileInfo(LabController::folder()).path());
    QFile inTheWay(LabController::folder());
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    s.lab.start(s.counting("2"));
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains(LabController::folder()));
    QVERIFY(s.lab.file().isEmpty());
  }
};

EQUIPATCH_TEST(tst_lab_controller)
#include "tst_lab_controller.moc"
