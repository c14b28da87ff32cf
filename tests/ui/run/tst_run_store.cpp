// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "core/record/file/file_claim.h"
#include "core/record/file/run_writer.h"
#include "core/record/run_catalogue.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/scratch_settings.h"

using namespace equipatch;

class tst_run_store : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void datedFilesAreNamedByDateAndModel() {
    QTemporaryDir folder;
    const QString path =
        datedFile(folder.filePath("new/one"), {"my model/β: \"7\"", ".eqrun"});
    QVERIFY(QFileInfo(folder.filePath("new/one")).isDir());
    QVERIFY(!QFileInfo::exists(path));
    QVERIFY2(QRegularExpression(
                 "^\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d-\\d\\d_my_model_β_7_.eqrun$",
                 QRegularExpression::UseUnicodePropertiesOption)
                 .match(QFileInfo(path).fileName())
                 .hasMatch(),
             qPrintable(path));
  }

  void datedFilesDoNotExistYet() {
    QTemporaryDir folder;
    QStringList paths;
    for (int i = 0; i < 5; ++i) {
      paths << datedFile(folder.path(), {"same", ".json"});
      QVERIFY(QFile(paths.last()).open(QIODevice::WriteOnly | QIODevice::NewOnly));
    }
    QCOMPARE(paths.removeDuplicates(), 0);
  }

  /// `equipatch-cli runs` reads the folder into which the window records.
  void commandLineAndWindowUseTheSameFolder() {
    const test::ScratchSettings scratch;
    // The folder depends on these two names, which WindowApplication sets.
    const QString organisation = QCoreApplication::organizationName();
    const QString application = QCoreApplication::applicationName();
    QCoreApplication::setOrganizationName("Equipatch");
    QCoreApplication::setApplicationName("Equipatch");
    const QString window = RunStore::defaultFolder();
    QCoreApplication::setOrganizationName(organisation);
    QCoreApplication::setApplicationName(application);
    QCOMPARE(window, QString::fromStdString(recordedRunsFolder().string()));
  }

  void noDatedFileIfTheFolderCannotBeMade() {
    QTemporaryDir folder;
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(datedFile(folder.filePath("file/below"), {"a", ".json"}).isEmpty());
  }

  void pathsOfNewFilesAreNormalised();
  void filesAreNewAndNamedAfterTheModel();
  void noFileWhereNothingCanBeWritten();
  void longNamesAreCut();
  void remembersTheRunBeingRecorded();
  void aRunThatIsCompleteByNowIsNoLongerInterrupted();
  void surplusAreTheOldestRunsBeyondTheLimit();

 private:
  /// @returns whether a file of this size and age was written
  static bool write(const QString& path, qint64 bytes, int minutesAgo) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    file.write(QByteArray(bytes, 'x'));
    file.flush();
    return file.setFileTime(QDateTime::currentDateTime().addSecs(-60 * minutesAgo),
                            QFileDevice::FileModificationTime);
  }
};

/// If XDG_DATA_HOME ends with a slash, the default folder contains "//".
void tst_run_store::pathsOfNewFilesAreNormalised() {
  const QTemporaryDir folder;
  const RunStore store(folder.path() + QStringLiteral("//runs"));
  const QString file = store.newFile(QStringLiteral("m"));
  QVERIFY(!file.isEmpty());
  QCOMPARE(file, QFileInfo(file).absoluteFilePath());
}

void tst_run_store::filesAreNewAndNamedAfterTheModel() {
  const QTemporaryDir folder;
  const RunStore store(folder.filePath(QStringLiteral("a/runs")));
  const QString first = store.newFile(QStringLiteral("gemma 3/1b: é"));
  QVERIFY2(first.endsWith(QStringLiteral("_gemma_3_1b_é.eqrun")), qPrintable(first));
  QVERIFY(QFileInfo(first).dir().exists());
  QVERIFY(!QFileInfo::exists(first));
  QVERIFY(write(first, 1, 0));
  const QString second = store.newFile(QStringLiteral("gemma 3/1b: é"));
  QVERIFY(second != first);
  QVERIFY(!QFileInfo::exists(second));
}

void tst_run_store::noFileWhereNothingCanBeWritten() {
  // Not even root can make a folder or a file in /proc.
  const RunStore store(QStringLiteral("/proc/nowhere/runs"));
  QCOMPARE(store.newFile(QStringLiteral("m")), QString());
  QCOMPARE(RunStore(QStringLiteral("/proc")).newFile(QStringLiteral("m")), QString());
  QCOMPARE(store.bytes(), 0);
  QVERIFY(store.surplus().isEmpty());
}

/// A file name has at most 255 bytes; SQLite appends "-journal" (8 bytes) to it.
void tst_run_store::longNamesAreCut() {
  const QTemporaryDir folder;
  const QString path = RunStore(folder.path()).newFile(QString(200, QChar(0x6A21)));
  const QByteArray name = QFileInfo(path).fileName().toUtf8();
  QVERIFY2(name.size() + 8 <= 255, name);
  QVERIFY(QFileInfo(path).completeBaseName().endsWith(QChar(0x6A21)));
  QVERIFY(write(path, 1, 0));
}

void tst_run_store::remembersTheRunBeingRecorded() {
  const test::ScratchSettings scratch;
  const QTemporaryDir folder;
  const RunStore store(folder.path());
  QCOMPARE(store.interrupted(), QString());
  const QString path = store.newFile(QStringLiteral("m"));
  store.beginRecording(path);
  QCOMPARE(store.interrupted(), QString());  // the file does not exist yet
  QVERIFY(write(path, 1, 0));
  QCOMPARE(RunStore(folder.path()).interrupted(), path);
  QVERIFY(RunStore(folder.path(), 0).surplus().isEmpty());  // the run may be continued
  store.endRecording(path);
  QCOMPARE(RunStore(folder.path()).interrupted(), QString());
  QCOMPARE(RunStore(folder.path(), 0).surplus(), QStringList{path});
  const FileClaim claim = FileClaim::take(path.toStdString());
  QVERIFY(RunStore(folder.path(), 0).surplus().isEmpty());  // another window's claim
}

/// For example, `compare --continue` completed a run that a killed window had left.
void tst_run_store::aRunThatIsCompleteByNowIsNoLongerInterrupted() {
  const test::ScratchSettings scratch;
  const QTemporaryDir folder;
  const RunStore store(folder.path());
  RunHeader header = *test::makeHeader();
  header.request.prompt = {{.id = TokenId(1)}};
  const QString stopped = store.newFile(QStringLiteral("stopped"));
  RunWriter(stopped.toStdString(), header).finish(RunEnding::Stopped);
  const QString complete = store.newFile(QStringLiteral("complete"));
  RunWriter(complete.toStdString(), header).finish(RunEnding::Complete);
  store.beginRecording(complete);
  store.beginRecording(stopped);
  QCOMPARE(store.interrupted(), stopped);
  store.endRecording(stopped);
  QCOMPARE(store.interrupted(), QString());
  QCOMPARE(RunStore(folder.path(), 0).surplus().size(), 2);
}

void tst_run_store::surplusAreTheOldestRunsBeyondTheLimit() {
  const QTemporaryDir folder;
  const auto path = [&](const char* name) {
    return folder.filePath(QString::fromLatin1(name));
  };
  QVERIFY(write(path("new.eqrun"), 600, 1));
  QVERIFY(write(path("old.eqrun"), 300, 30));
  QVERIFY(write(path("older.eqrun"), 200, 60));
  QVERIFY(write(path("letter.txt"), 5000, 90));
  QCOMPARE(RunStore(folder.path()).bytes(), 1100);
  QVERIFY(RunStore(folder.path(), 1100).surplus().isEmpty());
  QCOMPARE(RunStore(folder.path(), 1000).surplus(), QStringList{path("older.eqrun")});
  QCOMPARE(RunStore(folder.path(), 700).surplus(),
           (QStringList{path("older.eqrun"), path("old.eqrun")}));
}

EQUIPATCH_TEST(tst_run_store)
#include "tst_run_store.moc"
