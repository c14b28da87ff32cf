// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_opener.h"

#include <QSignalSpy>
#include <chrono>

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

using Phase = RunController::Phase;

struct OpenerSetup {
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  QStringList opened;
  RunOpener opener{controller, [this](const QString& file) {
                     opened << file;
                     controller.openRun(file.toStdString());
                   }};
};

RunSettings settingsOf(int steps) {
  RunSettings settings;
  settings.model.folder = "/models/tiny";
  settings.prompt.text = "Once upon a";
  settings.run.steps = steps;
  return settings;
}

}  // namespace

class tst_run_opener : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void opensFilesOneAfterTheOther() {
    OpenerSetup s;
    int begun = 0;
    connect(&s.model, &RunModel::runStarted, &s.opener, [&] { ++begun; });
    const QStringList files{"/runs/a.eqrun", "/runs/b.eqrun", "/runs/c.eqrun"};
    for (const QString& file : files) QVERIFY(s.opener.add(file));
    QCOMPARE(s.opened.size(), 1);
    QVERIFY(s.controller.isOpeningRun() && !s.controller.canRunWhenLoaded());
    QTRY_COMPARE(s.opened, files);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCOMPARE(begun, 3);
    QVERIFY(!s.controller.isOpeningRun());
    QCOMPARE(s.controller.file().string(), std::string("/runs/c.eqrun"));
    QVERIFY(s.opener.add("/runs/d.eqrun"));
    QTRY_COMPARE(s.engine.lastOpened().string(), std::string("/runs/d.eqrun"));
  }

  /// In the tree of earlier runs, the Enter key requests a file twice: the key activates
  /// the item and presses the dialog's default button.
  void aFileInTheQueueIsNotAddedAgain() {
    OpenerSetup s;
    for (const char* file : {"/runs/a.eqrun", "/runs/a.eqrun", "/runs/b.eqrun",
                             "/runs/b.eqrun", "/runs/a.eqrun"})
      QVERIFY(s.opener.add(file));
    QTRY_COMPARE(s.opened, (QStringList{"/runs/a.eqrun", "/runs/b.eqrun"}));
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QTRY_VERIFY(s.opener.add("/runs/a.eqrun"));
    QTRY_COMPARE(s.opened.size(), 3);
  }

  void anUnreadableFileIsPassedOver() {
    OpenerSetup s;
    s.engine.openFailure = "no such run file";
    QVERIFY(s.opener.add("/runs/a.eqrun"));
    QVERIFY(s.opener.add("/runs/b.eqrun"));
    QTRY_COMPARE(s.opened.size(), 2);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    s.engine.openFailure.clear();
    QVERIFY(s.opener.add("/runs/c.eqrun"));
    QTRY_COMPARE(s.controller.file().string(), std::string("/runs/c.eqrun"));
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  }

  /// The stop comes after the job has failed, but before the controller knows.
  void stopDropsWaitingFilesAfterAFailedReading() {
    OpenerSetup s;
    s.engine.openFailure = "no such run file";
    const QSignalSpy stopped(&s.controller, &RunController::runStopped);
    const QSignalSpy failed(&s.controller, &RunController::failed);
    QVERIFY(s.opener.add("/runs/a.eqrun"));
    QVERIFY(s.opener.add("/runs/b.eqrun"));
    QVERIFY(s.engine.refusals->try_acquire_for(std::chrono::seconds(60)));
    s.controller.stop();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(stopped.count(), 1);
    QCoreApplication::processEvents();  // would open a waiting file
    QCOMPARE(s.opened, QStringList{"/runs/a.eqrun"});
    QCOMPARE(s.controller.phase(), Phase::Idle);
  }

  void noFileIsAddedDuringARun() {
    OpenerSetup s;
    s.controller.run(settingsOf(100000));
    QTRY_VERIFY(s.model.stepCount() > 2);
    QVERIFY(!s.opener.add("/runs/a.eqrun"));
    s.controller.stop();
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QVERIFY(s.opened.isEmpty());
  }

  void startingARunDropsWaitingFiles() {
    OpenerSetup s;
    QVERIFY(s.opener.add("/runs/a.eqrun"));
    QVERIFY(s.opener.add("/runs/b.eqrun"));
    s.controller.startOver(settingsOf(3));
    QTRY_COMPARE(s.engine.runs(), 1);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QTRY_VERIFY(s.opener.add("/runs/c.eqrun"));
    QTRY_COMPARE(s.controller.file().string(), std::string("/runs/c.eqrun"));
    QVERIFY(!s.opened.contains("/runs/b.eqrun"));
  }

  void startingALoadDropsWaitingFiles() {
    OpenerSetup s;
    QVERIFY(s.opener.add("/runs/a.eqrun"));
    QVERIFY(s.opener.add("/runs/b.eqrun"));
    s.controller.load(settingsOf(1).model);
    QVERIFY(!s.opener.add("/runs/c.eqrun"));
    QTRY_VERIFY(s.controller.loaded());
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCoreApplication::processEvents();  // would open a waiting file
    QCOMPARE(s.opened, QStringList{"/runs/a.eqrun"});
  }

  /// The model is loaded already, so only the start of the run can drop the files.
  void aRunWithoutALoadDropsWaitingFiles() {
    OpenerSetup s;
    s.controller.run(settingsOf(2));
    QTRY_COMPARE(s.model.stepCount(), 2);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    for (const char* file : {"/runs/a.eqrun", "/runs/b.eqrun", "/runs/c.eqrun"})
      QVERIFY(s.opener.add(file));
    const int before = s.engine.runs();
    s.controller.startOver(settingsOf(3));
    QTRY_COMPARE(s.engine.runs(), before + 1);
    QTRY_COMPARE(s.controller.phase(), Phase::Idle);
    QCoreApplication::processEvents();  // would open a waiting file
    QVERIFY(!s.opened.contains("/runs/b.eqrun"));
    QCOMPARE(s.model.stepCount(), 3);
  }
};

EQUIPATCH_TEST(tst_run_opener)
#include "tst_run_opener.moc"
