// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

#include "core/record/file/sqlite.h"
#include "tests/app/command_line.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch::test;

/// Uses run files of the first format, which have no labels.
class tst_cli_runs : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const QDir stored(QString::fromStdString(data("runs/format-1").string()));
    for (const QString& file : stored.entryList({"*.eqrun"})) {
      QVERIFY(QFile::copy(stored.filePath(file), m_folder.filePath(file)));
      QFile::setPermissions(m_folder.filePath(file),
                            QFile::ReadOwner | QFile::WriteOwner);
    }
    writeFile(m_folder.filePath("text.eqrun"), "no run at all");
  }

  void everyRunIsListed() {
    const CommandResult result = runCommand({"runs", m_folder.path()});
    QVERIFY2(result.exitCode == 0, result.err);
    for (const char* text : {"complete.eqrun", "interrupted.eqrun", "(interrupted)",
                             "text.eqrun: not a run file"})
      QVERIFY2(result.out.simplified().contains(text), result.out);
    for (const QByteArray& line : result.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 100, line);
  }

  /// The settings have 31 bytes, but fit the 30 columns of a run's name.
  void settingsThatFitTheNameColumnAreShownOnce() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("part.eqrun");
    QVERIFY(QFile::copy(m_folder.filePath("complete.eqrun"), file));
    for (const char* setting :
         {"value = 0.5 WHERE key = 'strength'", "value = 'open' WHERE key = 'loop'",
          "value = '' WHERE key = 'kept_prompt'",
          "value = 0 WHERE key = 'keeps_generated'"})
      equipatch::SqlDatabase::openToChange(file.toStdString())
          ->execute("UPDATE manifest SET " + std::string(setting));
    const CommandResult result = runCommand({"runs", folder.path()});
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.out.count("bfloat16 balanced open α = 0.5") == 1, result.out);
  }

  void labelsAreSetAndSearched() {
    const QString file = m_folder.filePath("complete.eqrun");
    const CommandResult set = runCommand(
        {"label", file, "--name", "Lina", "--tags", "rhyme, paper", "--notes", "a\nb"});
    QVERIFY2(set.exitCode == 0, set.err);
    QVERIFY2(set.out.contains("tags: paper, rhyme"), set.out);
    const CommandResult spaced = runCommand({"label", file, "--name", "for two"});
    QVERIFY2(spaced.out.contains("for two"), spaced.out);
    QVERIFY(runCommand({"label", file, "--name", "a\tb é"})
                .out.startsWith("name: a\\tb é\ntags: "));
    QCOMPARE(runCommand({"label", file, "--name", "Lina"}).exitCode, 0);
    const CommandResult found =
        runCommand({"runs", m_folder.path(), "--search", "lina PAPER", "--json"});
    QCOMPARE(found.objects().size(), 1);
    const QJsonObject run = found.objects().value(0);
    QCOMPARE(run["name"].toString(), QString("Lina"));
    QCOMPARE(run["notes"].toString(), QString("a\nb"));
    QCOMPARE(run["tags"].toArray(), (QJsonArray{"paper", "rhyme"}));
    QVERIFY(run["steps"].toInt() > 0);
    QCOMPARE(runCommand({"label", file, "--name", ""}).exitCode, 0);
    const QJsonObject after = runCommand({"runs", file, "--json"}).objects().value(0);
    QCOMPARE(after["name"].toString(), QString());
    QCOMPARE(after["notes"].toString(), QString("a\nb"));
    QCOMPARE(runCommand({"export", "--run", file, "--json", "-"}).exitCode, 0);
  }

  void filesThatAreNoRunsCannotBeLabelled() {
    const CommandResult result =
        runCommand({"label", m_folder.filePath("text.eqrun"), "--name", "a"});
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("not a run file"), result.err);
  }

  void aSearchWithoutResultNamesItsFolders() {
    const CommandResult none =
        runCommand({"runs", m_folder.path(), "--search", "no such words"});
    QCOMPARE(none.exitCode, 0);
    QVERIFY2(none.out.contains("No run has these words"), none.out);
    const QTemporaryDir fresh;
    const CommandResult two =
        runCommand({"runs", fresh.path(), m_folder.path(), "--search", "no such words"});
    QVERIFY2(two.out.contains("\"" + fresh.path().toUtf8() + "\", \"" +
                              m_folder.path().toUtf8() + "\"."),
             two.out);
  }

  void namedFilesThatAreNoRunsAreErrors() {
    const QString text = m_folder.filePath("text.eqrun");
    const CommandResult one = runCommand({"runs", text, "--search", "no such words"});
    QCOMPARE(stderrProblem(one, 1, "not a run file"), QString());
    const CommandResult two =
        runCommand({"runs", m_folder.path(), "MISSING.eqrun", text});
    QCOMPARE(two.exitCode, 1);
    QVERIFY2(two.out.contains("model"), two.out);  // other runs are listed
    QVERIFY2(two.err.simplified().contains("MISSING.eqrun: there is no such run file"),
             two.err);
    QVERIFY2(two.err.simplified().contains("1 other file that"), two.err);
    const CommandResult json = runCommand({"runs", "MISSING.eqrun", "--json"});
    QCOMPARE(json.exitCode, 1);
    QVERIFY2(json.out.contains("\"problem\":\"MISSING.eqrun"), json.out);
  }

  void damagedRunsAreListedWithTheirName() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("broken.eqrun");
    QVERIFY(QFile::copy(m_folder.filePath("complete.eqrun"), file));
    QCOMPARE(runCommand({"label", file, "--name", "Lina"}).exitCode, 0);
    equipatch::SqlDatabase::openToChange(file.toStdString())
        ->execute("UPDATE steps SET match = 7 WHERE step = 1");
    const CommandResult listed = runCommand({"runs", folder.path()});
    QCOMPARE(listed.exitCode, 0);
    for (const char* text : {"Lina", "broken.eqrun", "(interrupted)", "✗", "found 7"})
      QVERIFY2(listed.out.simplified().contains(text), listed.out);
    const QJsonObject run =
        runCommand({"runs", folder.path(), "--json"}).objects().value(0);
    QCOMPARE(run["name"].toString(), QString("Lina"));
    QCOMPARE(run["steps"].toInt(), 1);
    QVERIFY(run["problem"].toString().contains("found 7"));
  }

  void withoutRunsTheListSaysSo() {
    const QTemporaryDir fresh;
    const CommandResult first = runCommand({"runs"}, {"XDG_DATA_HOME=" + fresh.path()});
    QCOMPARE(first.exitCode, 0);
    QVERIFY2(first.out.startsWith("No run is recorded in "), first.out);
  }

 private:
  QTemporaryDir m_folder;
};

EQUIPATCH_TEST(tst_cli_runs)
#include "tst_cli_runs.moc"
