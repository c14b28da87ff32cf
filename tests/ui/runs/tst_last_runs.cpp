// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/last_runs.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <string>
#include <vector>

#include "tests/support/test_case.h"
#include "tests/ui/runs/listed_runs.h"
#include "tests/ui/support/scratch_settings.h"

using namespace equipatch;

namespace {

/// Makes an empty file in place of a run file. @returns its path
std::string touched(const QTemporaryDir& folder, const char* name) {
  QFile file(folder.filePath(QString::fromLatin1(name)));
  return file.open(QIODevice::WriteOnly) ? file.fileName().toStdString() : std::string();
}

}  // namespace

class tst_last_runs : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void lastSessionsRunsKeepColoursAndTicks() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const std::string first = touched(folder, "a run.eqrun"),
                      second = touched(folder, "b.eqrun");
    {
      test::ListedRuns f;
      const LastRuns last(f.list);
      QVERIFY(last.isHidden());
      f.run(first, 3);
      f.run(second, 3);
      f.run({}, 3);  // not recorded
      f.list.setColour(0, 7);
      f.list.setOwnColour(1, QColor(1, 2, 3));
      f.list.setShown(1, false);
    }
    test::ListedRuns f;
    LastRuns last(f.list);
    QVERIFY(!last.isHidden());
    QCOMPARE(last.text(), QStringLiteral("Open the last 2 runs"));
    const QSignalSpy requested(&last, &LastRuns::openRequested);
    last.click();
    QCOMPARE(
        requested.value(0).value(0).toStringList(),
        (QStringList{QString::fromStdString(first), QString::fromStdString(second)}));
    QVERIFY(!last.isHidden());
    last.click();
    QCOMPARE(requested.value(1), requested.value(0));
    for (const std::string& file : {first, second}) f.run(file, 3);
    QVERIFY(last.isHidden());
    QCOMPARE(f.list.at(0).colour, 7);
    QVERIFY(f.list.at(0).shown);
    QCOMPARE(f.list.at(1).own, QColor(1, 2, 3));
    QVERIFY(!f.list.at(1).shown);
  }

  void displayOfTheLastShownRunIsRequestedOnce() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const std::vector<std::string> files{touched(folder, "a.eqrun"),
                                         touched(folder, "b.eqrun"),
                                         touched(folder, "c.eqrun")};
    {
      test::ListedRuns f;
      const LastRuns last(f.list);
      for (const std::string& file : files) f.run(file, 3);
      f.run(files[1], 3);  // on display again
    }
    test::ListedRuns f;
    LastRuns last(f.list);
    const QSignalSpy requested(&last, &LastRuns::displayRequested);
    last.click();
    f.run(files[0], 3);
    QCOMPARE(requested.count(), 0);
    f.run(files[1], 3);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.value(0).value(0).toInt(), 1);
    f.run(files[2], 3);
    f.run(files[0], 3);  // as if the user chose this run
    QCOMPARE(requested.count(), 1);
  }

  void displayIsRequestedOnlyIfClickedAndStored() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const std::string first = touched(folder, "a.eqrun"),
                      second = touched(folder, "b.eqrun");
    for (const bool isOlder : {false, true}) {
      {
        test::ListedRuns f;
        const LastRuns last(f.list);
        for (const std::string& file : {first, second, first}) f.run(file, 3);
      }
      if (isOlder) QSettings().remove(QStringLiteral("runs/lastDisplayed"));
      test::ListedRuns f;
      LastRuns last(f.list);
      const QSignalSpy requested(&last, &LastRuns::displayRequested);
      if (isOlder) last.click();
      for (const std::string& file : {first, second}) f.run(file, 3);
      QCOMPARE(requested.count(), 0);
    }
  }

  /// For example, the user continued an interrupted run first.
  void unopenedRunsStayOfferedBesideAnOpenOne() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const std::string first = touched(folder, "a.eqrun"),
                      second = touched(folder, "b.eqrun");
    {
      test::ListedRuns f;
      const LastRuns last(f.list);
      f.run(first, 3);
      f.run(second, 3);
      f.list.setColour(0, 7);
    }
    for (int start = 0; start < 2; ++start) {
      test::ListedRuns f;
      LastRuns last(f.list);
      QCOMPARE(last.text(), QStringLiteral("Open the last 2 runs"));
      f.run(second, 3);
      QCOMPARE(last.text(), QStringLiteral("Open the last run"));
      if (start == 0) continue;  // the next start offers both again
      last.click();
      f.run(first, 3);
      QVERIFY(last.isHidden());
      QCOMPARE(f.list.at(1).colour, 7);
    }
    test::ListedRuns f;
    LastRuns last(f.list);
    f.run(touched(folder, "new.eqrun"), 3);
    QVERIFY(last.isHidden());
  }

  void aRunThatIsClosedAgainIsNotOffered() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const std::string first = touched(folder, "a.eqrun"),
                      second = touched(folder, "b.eqrun");
    {
      test::ListedRuns f;
      const LastRuns last(f.list);
      f.run(first, 3);
      f.run(second, 3);
    }
    {
      test::ListedRuns f;
      const LastRuns last(f.list);
      f.run(second, 3);
      f.list.close(0);
    }
    test::ListedRuns f;
    QCOMPARE(LastRuns(f.list).text(), QStringLiteral("Open the last run"));
  }

  void aStartWithoutARunKeepsTheLastRunsOffered() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const std::string file = touched(folder, "a.eqrun");
    {
      test::ListedRuns f;
      const LastRuns last(f.list);
      f.run(file, 3);
    }
    for (int start = 0; start < 2; ++start) {
      test::ListedRuns f;
      const LastRuns last(f.list);
      Q_EMIT f.list.changed();  // nothing is listed
      QCOMPARE(last.text(), QStringLiteral("Open the last run"));
    }
    QVERIFY(QFile::remove(QString::fromStdString(file)));
    test::ListedRuns f;
    QVERIFY(LastRuns(f.list).isHidden());
  }

  /// A lesson hides the user's runs. If the program is killed during the lesson, the next
  /// start must still offer these runs.
  void runsThatAreListedDuringAPauseAreNotStored() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const std::string first = touched(folder, "a.eqrun"),
                      second = touched(folder, "b.eqrun"),
                      lesson = touched(folder, "lesson.eqrun");
    const auto stored = [] {
      return QSettings().value(QStringLiteral("runs/last")).toStringList()
             << QSettings().value(QStringLiteral("runs/lastDisplayed")).toString();
    };
    test::ListedRuns f;
    LastRuns last(f.list);
    f.run(first, 3);
    f.run(second, 3);
    const QStringList before = stored();
    QCOMPARE(before.size(), 3);
    last.setPaused(true);
    for (const int row : {0, 1}) f.list.setShown(row, false);
    f.run(lesson, 3);
    QCOMPARE(stored(), before);
    f.list.close(2);
    for (const int row : {0, 1}) f.list.setShown(row, true);
    f.run(first, 3);
    last.setPaused(false);
    QCOMPARE(stored().first(2), before.first(2));
    QCOMPARE(stored().last(), QString::fromStdString(first));
  }

  void aPauseBeforeAnyRunKeepsTheLastRunOffered() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    {
      test::ListedRuns f;
      const LastRuns last(f.list);
      f.run(touched(folder, "a.eqrun"), 3);
    }
    test::ListedRuns f;
    LastRuns last(f.list);
    last.setPaused(true);
    QVERIFY(last.isHidden());
    f.run(touched(folder, "lesson.eqrun"), 3);
    f.list.close(0);
    last.setPaused(false);
    QVERIFY(!last.isHidden());
    QCOMPARE(last.text(), QStringLiteral("Open the last run"));
  }

  void damagedSettingsAreHarmless() {
    const test::ScratchSettings scratch;
    const QTemporaryDir folder;
    const QString file = QString::fromStdString(touched(folder, "a.eqrun"));
    QSettings().setValue(
        QStringLiteral("runs/last"),
        QStringList{QString(), QStringLiteral("x"), QStringLiteral("999 no 5 ") + file});
    test::ListedRuns f;
    LastRuns last(f.list);
    QCOMPARE(last.text(), QStringLiteral("Open the last run"));
    last.click();
    f.run(file.toStdString(), 2);
    QCOMPARE(f.list.at(0).colour, kRunStyles - 1);
    QVERIFY(!f.list.at(0).own.isValid());
  }
};

EQUIPATCH_TEST(tst_last_runs)
#include "tst_last_runs.moc"
