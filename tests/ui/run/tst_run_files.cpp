// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_files.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "core/record/file/file_claim.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

using Phase = RunController::Phase;

struct FilesSetup {
  test::QuietPlatform quiet;
  test::ScratchSettings scratch;
  QTemporaryDir folder;
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  QWidget window;
  RunFiles files;
  QSignalSpy failed{&files, &RunFiles::failed};

  explicit FilesSetup(qint64 limit = RunStore::kDefaultLimit)
      : files(controller, window, RunStore(runs(), limit)) {
    window.show();
    QObject::connect(&files, &RunFiles::openRequested, &files, &RunFiles::open);
  }

  QString runs() const { return folder.filePath(QStringLiteral("runs")); }
  QString path(const char* name) const {
    return folder.filePath(QString::fromLatin1(name));
  }
  void run(int steps) {
    RunSettings settings;
    settings.model.folder = "/models/tiny";
    settings.prompt.text = "Once upon a";
    settings.run.steps = steps;
    settings.record = files.newFile(QStringLiteral("tiny"));
    controller.run(settings);
  }
  void click(const char* box, const char* text) const {
    auto* question = window.findChild<QMessageBox*>(QString::fromLatin1(box));
    QVERIFY(question);
    for (auto* button : question->buttons())
      if (button->text().contains(QString::fromLatin1(text))) return button->click();
    QFAIL(text);
  }
};

QByteArray content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

}  // namespace

class tst_run_files : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aRunIsRecordedInTheRunsFolder();
  void savingCopiesTheRunToAnotherFile();
  void aRefusedRunLeavesTheDisplayedRunsFile();
  void reportsWhatCannotBeSaved();
  void openedRunsAreShown();
  void aStoppedRunDoesNotCountAsInterrupted();
  void aRunInProgressAtCloseCountsAsInterrupted();
  void anotherWindowsRecordingStaysListed();
  void anInterruptedRunIsOfferedOnce_data();
  void anInterruptedRunIsOfferedOnce();
  void aRunThatCannotContinueYetStaysListed();
  void anInterruptedRunIsOfferedUntilItContinues_data();
  void anInterruptedRunIsOfferedUntilItContinues();
  void anInterruptedRunThatIsOpenIsNotOffered();
  void surplusRunsAreDeletedOnlyOnRequest_data();
  void surplusRunsAreDeletedOnlyOnRequest();
  void surplusRunsNotDeletedAreNamed();
  void noQuestionIsAskedWithoutStoredRuns();
};

void tst_run_files::aRunIsRecordedInTheRunsFolder() {
  FilesSetup s;
  QVERIFY(!s.files.canSave());
  s.run(5);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QTRY_COMPARE(s.model.stepCount(), 5);
  const QString record = QString::fromStdString(s.engine.lastRecord().string());
  QVERIFY(record.startsWith(s.runs()) && record.endsWith(QStringLiteral("tiny.eqrun")));
  QCOMPARE(s.controller.file(), s.engine.lastRecord());
  QVERIFY(s.files.canSave());
}

void tst_run_files::savingCopiesTheRunToAnotherFile() {
  FilesSetup s;
  s.run(2);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QTRY_VERIFY(s.files.canSave());
  write(s.path("mine.eqrun"), "what was there");
  // A killed program left this journal. SQLite would apply it to the new file.
  write(s.path("mine.eqrun-journal"), "half a step");
  const QSignalSpy saved(&s.files, &RunFiles::saved);
  s.files.save(s.path("mine.eqrun"));
  s.files.save(s.path("next.eqrun"));  // refused: one at a time
  QCOMPARE(s.failed.count(), 1);
  QVERIFY(s.failed.takeFirst()[0].toString().contains(QStringLiteral("mine.eqrun")));
  QTRY_COMPARE(saved.count(), 1);
  QCOMPARE(saved[0][0].toString(), s.path("mine.eqrun"));
  QCOMPARE(content(s.path("mine.eqrun")), QByteArray("a recorded run"));
  QVERIFY(!QFile::exists(s.path("mine.eqrun-journal")));
  s.files.save(QString::fromStdString(s.controller.file().string()));  // onto itself
  QCOMPARE(content(QString::fromStdString(s.controller.file().string())),
           QByteArray("a recorded run"));
  QVERIFY(s.failed.isEmpty());
}

/// The previous run stays on display, so it can still be saved.
void tst_run_files::aRefusedRunLeavesTheDisplayedRunsFile() {
  FilesSetup s;
  s.run(2);
  QTRY_VERIFY(s.files.canSave());
  const auto file = s.controller.file();
  s.engine.refusesRuns = true;
  QSignalSpy refused(&s.controller, &RunController::failed);
  s.run(3);
  QVERIFY(s.controller.file() != file);
  QTRY_COMPARE(refused.count(), 1);
  QCOMPARE(s.controller.file(), file);
  s.engine.refusesRuns = false;
  write(s.path("taken.eqrun"), "another window's run");
  RunSettings taken;
  taken.model.folder = "/models/tiny";
  taken.prompt.text = "Once upon a";
  taken.record = s.path("taken.eqrun").toStdString();
  QVERIFY_THROWS_EXCEPTION(Error, s.controller.run(taken));
  QCOMPARE(s.controller.file(), file);
  QVERIFY(s.files.canSave());
  QVERIFY(!s.controller.isOpened());
}

void tst_run_files::reportsWhatCannotBeSaved() {
  FilesSetup s;
  s.run(2);
  QTRY_VERIFY(s.files.canSave());
  {
    write(s.path("held.eqrun"), "another window's run");
    const FileClaim claim = FileClaim::take(s.path("held.eqrun").toStdString());
    s.files.save(s.path("held.eqrun"));
    QCOMPARE(s.failed.count(), 1);
    QVERIFY(s.failed[0][0].toString().contains(QStringLiteral("being recorded")));
    QCOMPARE(content(s.path("held.eqrun")), QByteArray("another window's run"));
    s.failed.clear();
  }
  {
    const FileClaim claim = FileClaim::take(s.controller.file());
    s.files.save(s.path("copy.eqrun"));
    QCOMPARE(s.failed.count(), 1);
    QVERIFY(s.failed[0][0].toString().contains(QStringLiteral("being recorded")));
    QVERIFY(!QFile::exists(s.path("copy.eqrun")));
    s.failed.clear();
  }
  s.files.save(s.path("no/folder.eqrun"));
  QTRY_COMPARE(s.failed.count(), 1);
  QVERIFY(s.failed[0][0].toString().contains(QStringLiteral("folder.eqrun")));
}

void tst_run_files::openedRunsAreShown() {
  FilesSetup s;
  write(s.path("a.eqrun"), "a run");
  s.files.open(QDir().relativeFilePath(s.path("a.eqrun")));
  QTRY_COMPARE(s.model.stepCount(), test::SyntheticEngine::kStoredSteps);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(s.engine.lastOpened(), std::filesystem::path(s.path("a.eqrun").toStdString()));
  QVERIFY(s.files.canSave());
  QCOMPARE(RunStore(s.runs()).interrupted(), QString());
}

void tst_run_files::aStoppedRunDoesNotCountAsInterrupted() {
  FilesSetup s;
  s.run(100000);
  QTRY_COMPARE(s.controller.phase(), Phase::Running);
  // If the program were killed now, the run would count as interrupted.
  QTRY_VERIFY(!RunStore(s.runs()).interrupted().isEmpty());
  s.controller.stop();
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(RunStore(s.runs()).interrupted(), QString());
}

void tst_run_files::aRunInProgressAtCloseCountsAsInterrupted() {
  FilesSetup s;
  s.run(100000);
  QTRY_VERIFY(!RunStore(s.runs()).interrupted().isEmpty());
  s.files.close();  // during the run
  s.controller.stop();
  QTRY_COMPARE(s.controller.phase(), RunController::Phase::Idle);
  QVERIFY(!RunStore(s.runs()).interrupted().isEmpty());
}

/// Windows share the settings, which list the recordings in progress.
void tst_run_files::anotherWindowsRecordingStaysListed() {
  FilesSetup s;
  const RunStore store(s.runs());
  const QString other = store.newFile(QStringLiteral("other"));
  write(other, "half a run");
  store.beginRecording(other);
  s.run(100000);
  QTRY_VERIFY(s.controller.isComputing());
  s.controller.startOver([&] {
    RunSettings settings;
    settings.model.folder = "/models/tiny";
    settings.prompt.text = "Once upon a";
    settings.run.steps = 3;
    settings.record = s.files.newFile(QStringLiteral("second"));
    return settings;
  }());
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(QSettings().value("runs/current").toStringList(), QStringList{other});
  s.files.close();
  QCOMPARE(store.interrupted(), other);
}

void tst_run_files::anInterruptedRunIsOfferedOnce_data() {
  QTest::addColumn<QByteArray>("answer");
  QTest::addColumn<int>("steps");
  QTest::newRow("opened") << QByteArray("Open it") << test::SyntheticEngine::kStoredSteps;
  QTest::newRow("left") << QByteArray("Leave it") << 0;
}

void tst_run_files::anInterruptedRunIsOfferedOnce() {
  QFETCH(QByteArray, answer);
  QFETCH(int, steps);
  FilesSetup s;
  const RunStore store(s.runs());
  const QString file = store.newFile(QStringLiteral("m"));
  write(file, "half a run");
  store.beginRecording(file);
  s.files.askAboutStoredRuns();
  s.click("interruptedQuestion", answer);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);  // the opening has ended
  QCOMPARE(s.model.stepCount(), steps);
  QCOMPARE(store.interrupted(), QString());
  QVERIFY(QFile::exists(file));
}

/// For example, the program may still be loading the model with which it was started.
void tst_run_files::aRunThatCannotContinueYetStaysListed() {
  FilesSetup s;
  const RunStore store(s.runs());
  const QString file = store.newFile(QStringLiteral("m"));
  write(file, "half a run");
  store.beginRecording(file);
  s.files.askAboutStoredRuns();
  s.run(100000);
  s.click("interruptedQuestion", "Continue it");
  QCOMPARE(store.interrupted(), file);
  s.controller.stop();
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
}

void tst_run_files::anInterruptedRunIsOfferedUntilItContinues_data() {
  QTest::addColumn<bool>("elsewhere");
  QTest::newRow("in its file") << false;
  QTest::newRow("in another file") << true;
}

void tst_run_files::anInterruptedRunIsOfferedUntilItContinues() {
  QFETCH(bool, elsewhere);
  FilesSetup s;
  const RunStore store(s.runs());
  const QString file = store.newFile(QStringLiteral("m"));
  write(file, "half a run");
  store.beginRecording(file);
  const QSignalSpy continues(&s.files, &RunFiles::continueRequested);
  s.files.askAboutStoredRuns();
  s.click("interruptedQuestion", "Continue it");
  QCOMPARE(continues.count(), 1);
  s.files.openToContinue(file);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QSignalSpy refused(&s.controller, &RunController::failed);
  s.engine.loadFailure = "The model is damaged.";
  s.run(3);
  QTRY_COMPARE(refused.count(), 1);
  QCOMPARE(store.interrupted(), file);
  s.engine.loadFailure.clear();
  RunSettings settings;
  settings.model.folder = "/models/tiny";
  settings.prompt.text = "Once upon a";
  settings.run.steps = 3;
  settings.record = s.files.newFile(QStringLiteral("other"));
  if (elsewhere)
    s.files.expectContinuation(file.toStdString(), settings.record);
  else
    settings.record = file.toStdString();
  if (!elsewhere) QVERIFY(QFile::remove(file));  // the synthetic engine creates it again
  s.controller.run(settings);
  QTRY_COMPARE(s.engine.runs(), 1);
  QTRY_COMPARE(s.controller.phase(), Phase::Idle);
  QCOMPARE(QSettings().value("runs/current").toStringList(), QStringList());
}

void tst_run_files::anInterruptedRunThatIsOpenIsNotOffered() {
  FilesSetup s;
  const RunStore store(s.runs());
  const QString file = store.newFile(QStringLiteral("m"));
  write(file, "half a run");
  store.beginRecording(file);
  s.files.open(file);
  s.files.askAboutStoredRuns();
  QVERIFY(s.window.findChildren<QMessageBox*>().isEmpty());
  QTRY_COMPARE(s.model.stepCount(), test::SyntheticEngine::kStoredSteps);
}

void tst_run_files::surplusRunsAreDeletedOnlyOnRequest_data() {
  QTest::addColumn<QByteArray>("answer");
  QTest::addColumn<bool>("kept");
  QTest::newRow("deleted") << QByteArray("Delete") << false;
  QTest::newRow("kept") << QByteArray("Keep") << true;
}

void tst_run_files::surplusRunsAreDeletedOnlyOnRequest() {
  QFETCH(QByteArray, answer);
  QFETCH(bool, kept);
  FilesSetup s(150);
  const RunStore store(s.runs());
  const QString file = store.newFile(QStringLiteral("m"));
  write(file, QByteArray(200, 'x'));
  s.files.askAboutStoredRuns();
  QVERIFY(QFile::exists(file));
  s.click("cleanUpQuestion", answer);
  QCOMPARE(QFile::exists(file), kept);
}

/// Another window may begin to record into a file while the question is shown.
void tst_run_files::surplusRunsNotDeletedAreNamed() {
  FilesSetup s(150);
  QStringList files;
  for (const char* name : {"a", "b", "c"}) {
    files << RunStore(s.runs()).newFile(QString::fromLatin1(name));
    write(files.back(), QByteArray(200, 'x'));
  }
  const QSignalSpy removed(&s.files, &RunFiles::removed);
  s.files.askAboutStoredRuns();
  const FileClaim first = FileClaim::take(files[0].toStdString());
  const FileClaim second = FileClaim::take(files[1].toStdString());
  s.click("cleanUpQuestion", "Delete");
  QVERIFY(QFile::exists(files[0]) && QFile::exists(files[1]));
  QVERIFY(!QFile::exists(files[2]));
  QCOMPARE(removed.count(), 1);
  QCOMPARE(s.failed.count(), 1);
  const QString sentence = s.failed[0][0].toString();
  QVERIFY2(sentence.contains(QStringLiteral("is being recorded")) &&
               sentence.contains(QStringLiteral("1 other file")),
           qPrintable(sentence));
}

void tst_run_files::noQuestionIsAskedWithoutStoredRuns() {
  FilesSetup s;
  s.files.askAboutStoredRuns();
  QVERIFY(s.window.findChildren<QMessageBox*>().isEmpty());
  QVERIFY(s.failed.isEmpty());
}

EQUIPATCH_TEST(tst_run_files)
#include "tst_run_files.moc"
