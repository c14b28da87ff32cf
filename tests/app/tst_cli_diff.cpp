// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonObject>
#include <QTemporaryDir>

#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_diff : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    record("a.eqrun", "5,6,7,8", "float64");
    record("same.eqrun", "5,6,7,8", "float64");
    record("other.eqrun", "9,4,3,2", "float64");
  }

  void equalRunsAreReported() {
    const CommandResult result = diff({"a.eqrun", "same.eqrun"});
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.out.contains("the same tokens in all 6 steps"), result.out);
    QVERIFY(!result.out.contains("≠"));
    QVERIFY2(!result.out.contains("token A"), result.out);  // the table would be empty
    QVERIFY2(result.out.contains("Median L∞"), result.out);
    QVERIFY2(result.out.contains("--all"), result.out);
  }

  void allStepsAreListedOnRequest() {
    const CommandResult result = diff({"a.eqrun", "same.eqrun", "--all"});
    QVERIFY2(result.out.contains("token A"), result.out);
    QCOMPARE(result.out.count("✓"), 12);  // 6 steps of both
    QVERIFY2(!result.out.contains("--all"), result.out);
  }

  void reportsTheFirstDifferentStep() {
    const CommandResult result = diff({"a.eqrun", "other.eqrun", "--json"});
    QCOMPARE(result.exitCode, 0);
    const QList<QJsonObject> lines = result.objects();
    QCOMPARE(lines.size(), 7);
    int firstDifferent = -1;
    for (int step = 0; step < 6 && firstDifferent < 0; ++step) {
      const QJsonObject a = lines[step]["a"].toObject(), b = lines[step]["b"].toObject();
      if (a["token_id"] != b["token_id"]) firstDifferent = step;
    }
    QVERIFY(firstDifferent >= 0);
    const QJsonObject summary = lines.last()["summary"].toObject();
    QCOMPARE(summary["parting"].toInt(-1), firstDifferent);
    QCOMPARE(summary["common"].toInt(), 6);
    const CommandResult table = diff({"a.eqrun", "other.eqrun"});
    QVERIFY2(table.out.contains("diverge at step " + QByteArray::number(firstDifferent)),
             table.out);
    QVERIFY(table.out.contains("The prompts differ. The runs diverge"));
    QCOMPARE(summary["different_origins"].toString(),
             QStringLiteral("The prompts differ."));
    QVERIFY(table.out.contains("≠"));
  }

  /// At strength 0 the patched pass equals the bare pass, so its tokens differ from the
  /// contextual pass's.
  void aFreeRunShowsTheTextOfItsPatchedToken() {
    record("free.eqrun", "5,6,7,8", "float64", {"--free-run", "--strength", "0"});
    const QJsonObject a =
        diff({"free.eqrun", "a.eqrun", "--json"}).objects().first()["a"].toObject();
    QVERIFY(!a["match"].toBool(true));
    QCOMPARE(a["token_id"], a["patched_token_id"]);
    QCOMPARE(a["token_text"], a["patched_text"]);
    QCOMPARE(a["token"], a["patched_text"]);
    const QByteArray text = a["patched_text"].toString().toUtf8();
    const CommandResult table = diff({"free.eqrun", "a.eqrun"});
    QVERIFY2(table.out.contains("    0 ≠  " + text + ' '), table.out);
  }

  /// Both runs continue with the same token, but their patched texts are x and y.
  void aStepWithDifferentPatchedTokensIsShown() {
    using namespace equipatch;
    const RunFile source(path("a.eqrun").toStdString());
    StepRecord step = *source.step(StepIndex(0), FactorDetail::Omit);
    step.match = false;
    step.patchedToken = TokenId(step.continued.value + 1);
    for (const char* patched : {"x", "y"}) {
      step.patchedText = patched;
      RunWriter writer(path(QString(patched) + ".eqrun").toStdString(), *source.header());
      writer.add(step);
    }
    const CommandResult result = diff({"x.eqrun", "y.eqrun"});
    QVERIFY2(result.out.contains("    0 ≠"), result.out);
    QVERIFY2(!result.out.contains("--all"), result.out);
  }

  void aNameCannotControlTheTerminal() {
    QVERIFY(QFile::copy(path("a.eqrun"), path("named.eqrun")));
    QCOMPARE(
        runCommand({"label", path("named.eqrun"), "--name", "red \x1b[31m"}).exitCode, 0);
    const CommandResult result = diff({"named.eqrun", "same.eqrun"});
    QVERIFY2(result.out.startsWith("A: red  [31m ("), result.out);
    QVERIFY(!result.out.contains('\x1b'));
  }

  void misuseIsRefused() {
    QCOMPARE(runCommand({"diff", path("a.eqrun")}).exitCode, 2);
    const CommandResult missing = diff({"a.eqrun", "nowhere.eqrun"});
    QCOMPARE(missing.exitCode, 1);
    QVERIFY2(missing.err.contains("nowhere.eqrun"), missing.err);
  }

 private:
  QString path(const QString& name) const { return m_folder.filePath(name); }
  void record(const QString& name, const QString& ids, const QString& dtype,
              const QStringList& more = {}) const {
    const QStringList arguments{"compare",      "--model",   goldenFolder("gemma3_text"),
                                "--ids",        ids,         "--dtype",
                                dtype,          "--steps",   "6",
                                "--ignore-eos", "--threads", "1",
                                "--out",        path(name)};
    const CommandResult result = runCommand(arguments + more);
    QCOMPARE(result.err, ("wrote " + path(name) + '\n').toUtf8());
  }
  CommandResult diff(QStringList arguments) const {
    for (QString& argument : arguments)
      if (!argument.startsWith('-')) argument = path(argument);
    return runCommand(QStringList{"diff"} + arguments);
  }
  QTemporaryDir m_folder;
};

EQUIPATCH_TEST(tst_cli_diff)
#include "tst_cli_diff.moc"
