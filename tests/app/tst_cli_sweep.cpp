// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch::test;

class tst_cli_sweep : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void shardsFillOneFolderAndMerge();
  void aFolderOfAnotherSweepIsRefused();
  void cellsAreOrdinaryRuns();
  void aSweepContinuesWithItsStoredSettings();
  void promptsMayStateTheAbsorbedPart();
  void sentencesAreAbsorbedInTurn();
  void failedCellsAreNamedAndRepeated();
  void aSuspendedProgramLosesItsCell();
  void theTimeOfACellIsMeasured();
  void theSlurmScriptComputesTheCells();
  void cellsComputedTogetherNeedMoreMemory();
  void misuseIsRefused_data();
  void misuseIsRefused();

 private:
  QString path(const QString& name) const { return m_folder.filePath(name); }
  CommandResult sweep(const QStringList& more) const {
    return runCommand(
        QStringList{"sweep", "--model", path("model"), "--prompts", path("prompts.jsonl"),
                    "--grid", "dtype=float32,bfloat16,loop=open", "--steps", "2",
                    "--ignore-eos", "--threads", "1", "--out", path("sweep")} +
        more);
  }
  QTemporaryDir m_folder;
};

void tst_cli_sweep::initTestCase() {
  QVERIFY(QDir(m_folder.path()).mkpath("model"));
  copyGolden("gemma3_text", path("model"));
  writeFile(path("model/tokenizer.json"), tinyTokenizerJson());
  writeFile(path("prompts.jsonl"), "\"abc\"\n{\"text\": \"cab\", \"name\": \"taxi\"}\n");
}

void tst_cli_sweep::shardsFillOneFolderAndMerge() {
  const CommandResult first = sweep({"--shard", "1/2", "--json"});
  QCOMPARE(first.exitCode, 0);
  QVERIFY2(first.err.contains("[2/2] "), first.err);
  QCOMPARE(first.objects().size(), 2);
  QCOMPARE(first.objects()[0]["cells"].toInt(), 1);
  QCOMPARE(first.objects()[0]["cells_planned"].toInt(), 2);
  const CommandResult rest = sweep({});
  QCOMPARE(rest.exitCode, 0);
  QVERIFY2(rest.err.startsWith("2 of 4 cells were finished before\n[3/4] "), rest.err);
  QVERIFY2(rest.out.contains("bfloat16 balanced open factored"), rest.out);
  const CommandResult merged = runCommand({"sweep", "--merge", path("sweep"), "--json"});
  QCOMPARE(merged.err, QByteArray());
  QCOMPARE(merged.objects().size(), 2);
  for (const QJsonObject& row : merged.objects()) {
    QCOMPARE(row["cells"].toInt(), 2);
    QCOMPARE(row["steps"].toInt(), 4);
    QCOMPARE(row["worst_verdict"].toString(), QString("unmeasured"));
  }
  QFile csv(path("sweep/summary.csv"));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  QCOMPARE(csv.readAll().count('\n'), 3);
  writeFile(path("sweep/summary.csv"), "somebody's notes");
  QCOMPARE(stderrProblem(runCommand({"sweep", "--merge", path("sweep")}), 1,
                         "summary.csv exists already and is not the table of a sweep"),
           QString());
  QCOMPARE(contentOf(path("sweep/summary.csv")), QByteArray("somebody's notes"));
}

void tst_cli_sweep::aFolderOfAnotherSweepIsRefused() {
  QCOMPARE(sweep({}).exitCode, 0);
  QCOMPARE(stderrProblem(sweep({"--noise"}), 1, "holds another sweep"), QString());
}

void tst_cli_sweep::cellsAreOrdinaryRuns() {
  QCOMPARE(sweep({}).exitCode, 0);
  const QString cell = path("sweep/taxi.float32.balanced.open.factored.eqrun");
  const CommandResult rerun = runCommand({"compare", "--rerun", cell, "--json"});
  QCOMPARE(rerun.exitCode, 0);
  QVERIFY2(rerun.err.startsWith("all 2 steps"), rerun.err);
}

void tst_cli_sweep::promptsMayStateTheAbsorbedPart() {
  writeFile(path("parts.jsonl"),
            R"({"text": "abcab", "name": "part", "absorb": "words:bc"})"
            "\n");
  const QStringList parts{"sweep",         "--model",           path("model"),
                          "--prompts",     path("parts.jsonl"), "--grid",
                          "dtype=float32", "--steps",           "2",
                          "--ignore-eos",  "--threads",         "1",
                          "--out",         path("parts")};
  QCOMPARE(runCommand(parts).exitCode, 0);
  const CommandResult again = runCommand(parts);
  QCOMPARE(again.exitCode, 0);
  QVERIFY2(again.err.startsWith("1 of 1 cells were finished before"), again.err);
  const QStringList table = QString::fromUtf8(again.out).split('\n');
  const qsizetype column = table.value(0).indexOf("worst verdict");
  QVERIFY2(column > 0, again.out);
  QCOMPARE(table.value(1).indexOf("unmeasured"), column);
  const CommandResult exported = runCommand(
      {"export", "--run", path("parts/part.float32.balanced.closed.factored.eqrun"),
       "--json", "-"});
  QCOMPARE(exported.exitCode, 0);
  QVERIFY2(exported.out.contains("\"absorbed\":\"1-2\""), exported.out.left(2000));
  writeFile(path("parts.jsonl"), R"({"text": "abcab", "absorb": "words:ab"})");
  QCOMPARE(stderrProblem(runCommand({"sweep", "--model", path("model"), "--prompts",
                                     path("parts.jsonl"), "--out", path("twice")}),
                         1, "line 1: the words \"ab\" occur more than once"),
           QString());
  QVERIFY(!QFile::exists(path("twice")));  // still free for corrected prompts
}

void tst_cli_sweep::sentencesAreAbsorbedInTurn() {
  // The first twelve prompts have only one sentence each.
  writeFile(path("lines.jsonl"), "{\"text\": \"ab\", \"name\": \"one\"}\n" +
                                     QByteArray("\"ab\"\n").repeated(11) +
                                     R"({"text": "ab\nc\nab\nca", "name": "p"})");
  const CommandResult result = runCommand(
      {"sweep", "--model", path("model"), "--prompts", path("lines.jsonl"),
       "--each-sentence", "--ablated", "--grid", "dtype=float32", "--steps", "1",
       "--ignore-eos", "--threads", "1", "--out", path("lines"), "--json"});
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(result.err.startsWith("note: one, prompt-002, ") &&
               result.err.contains("prompt-010 and 2 more are left out, "),
           result.err);
  QStringList parts;
  for (const QJsonObject& row : result.objects()) {
    parts << row["absorb"].toString();
    QVERIFY(row["ablated_kl_max"].toDouble() > 0.0);
    QVERIFY(row["ablated_kl_max"].toDouble() >= row["ablated_kl_median"].toDouble());
  }
  parts.sort();
  QCOMPARE(parts, (QStringList{"sentence:1", "sentence:2", "sentence:3", "words:ca"}));
  const auto absorbs = [&](const QString& name, const QByteArray& part) {
    const QString file =
        path("lines/" + name + ".float32.balanced.closed.factored.eqrun");
    return runCommand({"export", "--run", file, "--json", "-"})
        .out.contains("\"absorbed\":\"" + part + '"');
  };
  QVERIFY(absorbs("p-sentence1", "1"));  // position 0 is <s>
  QVERIFY(absorbs("p-sentence3", "3"));
  QVERIFY(absorbs("p-sentence4", "4-5"));
}

void tst_cli_sweep::aSweepContinuesWithItsStoredSettings() {
  QCOMPARE(sweep({}).exitCode, 0);
  const QString cell = path("sweep/taxi.float32.balanced.open.factored.eqrun");
  QVERIFY(QFile::remove(cell));
  const QStringList short_{"sweep", "--model", path("model"), "--out", path("sweep")};
  const CommandResult result = runCommand(short_);
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(result.err.startsWith("3 of 4 cells were finished before\n[4/4] taxi"),
           result.err);
  QVERIFY(QFile::exists(cell));
  for (const QStringList& option : {QStringList{"--noise"}, {"--device", "cpu"}})
    QCOMPARE(stderrProblem(runCommand(short_ + option), 2, qPrintable(option[0] + ": ")),
             QString());
}

void tst_cli_sweep::failedCellsAreNamedAndRepeated() {
  writeFile(path("long.jsonl"), "\"abc\"\n{\"text\": \"" + QByteArray(200, 'a') +
                                    "\", \"name\": \"long\"}\n");
  const auto repeat = [&] {
    return runCommand({"sweep", "--model", path("model"), "--prompts", path("long.jsonl"),
                       "--steps", "2", "--out", path("failing")});
  };
  const auto status = [&] {
    return runCommand({"sweep", "--status", path("failing"), "--json"}).objects().last();
  };
  for (int round = 0; round < 2; ++round) {
    const CommandResult result = repeat();
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("not computed"), result.err);
    QCOMPARE(status()["finished"].toInt(), 1);
    QCOMPARE(status()["waiting"].toInt(), 0);
    const QJsonArray failed = status()["failed"].toArray();
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0]["cell"].toString().startsWith("long."));
    QVERIFY(failed[0]["error"].toString().contains("positions"));
  }
  const QByteArray text = runCommand({"sweep", "--status", path("failing")}).out;
  QVERIFY2(text.contains("1 of 2 cells finished, 0 running, 1 failed, 0 waiting\n"),
           text);
  QVERIFY2(text.contains("\nfailed: long."), text);
}

/// The suspended program's claim is dated back an hour, so that another program takes
/// over the cell. The suspended program resumes after the other has finished the cell.
void tst_cli_sweep::aSuspendedProgramLosesItsCell() {
  const QStringList common{"sweep",
                           "--model",
                           path("model"),
                           "--prompts",
                           path("prompts.jsonl"),
                           "--grid",
                           "loop=open,closed",
                           "--steps",
                           "100",
                           "--ignore-eos",
                           "--threads",
                           "1"};
  const auto folder = [&](const char* name) { return QStringList{"--out", path(name)}; };
  QProcess slow;
  slow.start(commandPath(), common + folder("shared"));
  const QDir work(path("shared/work"));
  const auto claims = [&] { return work.entryInfoList({"*.claim.1"}, QDir::Files); };
  for (;;) {
    QTRY_VERIFY_WITH_TIMEOUT(!claims().isEmpty(), 60'000);
    ::kill(pid_t(slow.processId()), SIGSTOP);
    if (!claims().isEmpty()) break;
    ::kill(pid_t(slow.processId()), SIGCONT);
  }
  const auto status =
      runCommand({"sweep", "--status", path("shared"), "--json"}).objects().last();
  QCOMPARE(status["running"].toArray().size(), 1);
  QCOMPARE(status["running"][0]["process"].toInteger(), slow.processId());
  {
    QFile claim(claims().first().filePath());
    QVERIFY(claim.open(QIODevice::ReadWrite));
    QVERIFY(claim.setFileTime(QDateTime::currentDateTime().addSecs(-3600),
                              QFileDevice::FileModificationTime));
  }
  QCOMPARE(runCommand(common + folder("shared")).exitCode, 0);
  ::kill(pid_t(slow.processId()), SIGCONT);
  QVERIFY(slow.waitForFinished(60'000));
  QCOMPARE(slow.exitCode(), 0);
  QVERIFY(work.isEmpty());

  QCOMPARE(runCommand(common + folder("alone")).exitCode, 0);
  QList<QByteArray> tables;
  for (const char* name : {"shared", "alone"})
    tables << runCommand({"sweep", "--merge", path(name), "--json"}).out;
  QVERIFY2(tables[0].contains("\"cells\":2"), tables[0]);
  QCOMPARE(tables[0], tables[1]);
}

/// The first prompt is too long for the model, so a cell of the second prompt is
/// measured.
void tst_cli_sweep::theTimeOfACellIsMeasured() {
  writeFile(path("mixed.jsonl"), "\"" + QByteArray(4000, 'a') + "\"\n\"ab\"\n");
  const QStringList command{"sweep",
                            "--model",
                            path("model"),
                            "--prompts",
                            path("mixed.jsonl"),
                            "--grid",
                            "loop=open,closed",
                            "--steps",
                            "2",
                            "--out",
                            path("mixed"),
                            "--parallel",
                            "3",
                            "--submit",
                            "script",
                            "--array",
                            "1",
                            "--json"};
  const CommandResult result = runCommand(command);
  QVERIFY2(result.exitCode == 0, result.err);
  QVERIFY2(result.err.contains("positions"), result.err);
  QCOMPARE(runCommand({"sweep", "--status", path("mixed"), "--json"})
               .objects()
               .last()["finished"]
               .toInt(),
           1);
  QFile script(result.objects().last()["script"].toString());
  QVERIFY(script.open(QIODevice::ReadOnly));
  QVERIFY(script.readAll().contains("--parallel 3"));

  writeFile(path("long.jsonl"), "\"" + QByteArray(4000, 'a') + "\"\n");
  const CommandResult none = runCommand(
      {"sweep", "--model", path("model"), "--prompts", path("long.jsonl"), "--grid",
       "loop=open", "--steps", "2", "--out", path("long"), "--submit", "script"});
  QCOMPARE(none.exitCode, 1);
  QVERIFY2(none.err.contains("the first cells failed"), none.err);
}

void tst_cli_sweep::theSlurmScriptComputesTheCells() {
  const CommandResult result =
      runCommand({"sweep", "--model", path("model"), "--prompts", path("prompts.jsonl"),
                  "--grid", "loop=open,closed,method=direct,balanced", "--steps", "2",
                  "--out", path("cluster"), "--submit", "script", "--array", "3",
                  "--partition", "long", "--json"});
  QVERIFY2(result.exitCode == 0, result.err);
  const QJsonObject told = result.objects().last();
  QCOMPARE(told["tasks"].toInt(), 3);
  QCOMPARE(told["time"].toString(), QString("00:06:00"));
  QVERIFY(told["memory"].toString().endsWith("00M"));
  QVERIFY2(result.err.contains("[1/1] "), result.err);  // the measured cell
  QVERIFY2(result.err.count("give both --time and --mem") == 1, result.err);
  for (int task = 1; task <= 3; ++task) {
    QProcess bash;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SLURM_ARRAY_TASK_ID", QString::number(task));
    bash.setProcessEnvironment(environment);
    bash.start("/bin/bash", {told["script"].toString()});
    QVERIFY(bash.waitForFinished(60'000));
    QVERIFY2(bash.exitCode() == 0, bash.readAllStandardError());
  }
  const QByteArray text = runCommand({"sweep", "--status", path("cluster")}).out;
  QVERIFY2(text.contains("8 of 8 cells finished"), text);
  const CommandResult again =
      runCommand({"sweep", "--model", path("model"), "--prompts", path("prompts.jsonl"),
                  "--grid", "loop=open,closed,method=direct,balanced", "--steps", "2",
                  "--out", path("cluster"), "--submit", "script", "--json"});
  QVERIFY2(again.exitCode == 0, again.err);
  QCOMPARE(again.objects().last()["tasks"].toInt(-1), 0);
}

void tst_cli_sweep::cellsComputedTogetherNeedMoreMemory() {
  const auto model = data("../../resources/models/equipatch-tiny");
  const auto megabytes = [&](const char* folder, const char* parallel,
                             const char* grid = "loop=open") {
    const CommandResult result =
        runCommand({"sweep", "--model", model.c_str(), "--prompts", path("prompts.jsonl"),
                    "--grid", grid, "--steps", "2", "--out", path(folder), "--submit",
                    "script", "--array", "1", "--parallel", parallel, "--json"});
    return result.exitCode == 0
               ? result.objects().last()["memory"].toString().chopped(1).toInt()
               : 0;
  };
  const int alone = megabytes("one-at-once", "1");
  QVERIFY(alone > 0);
  // No task computes more cells at once than the sweep has: sixteen here, two in the next
  // sweep.
  const int sixteen = megabytes("sixteen-at-once", "16",
                                "strength=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,method=direct");
  QVERIFY2(sixteen >= 2 * alone, qPrintable(QString::number(sixteen)));
  const int two = megabytes("two-at-once", "1024");
  QVERIFY2(two < sixteen, qPrintable(QString::number(two)));
}

void tst_cli_sweep::misuseIsRefused_data() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<int>("exitCode");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* arguments, int exitCode, const char* part) {
    QTest::newRow(arguments) << QString(arguments) << exitCode << QString(part);
  };
  row("--model x --out y", 2, "--prompts");
  row("--model x --out y --preset paper --prompts z", 2, "--prompts");
  row("--model x --preset paper", 2, "--out");
  row("--preset paper --out y", 2, "--model");
  row("--model x --out y --preset papers", 2, "expected paper");
  row("--model x --out y --preset paper --grid loop=round", 2, "--grid");
  row("--model x --out y --preset paper --shard 3/2", 2, "--shard");
  row("--model x --out y --preset paper --steps 1e3", 2, "found \"1e3\"");
  row("--merge x --model y", 2, "--merge");
  row("--model x --out y --grid loop=open", 2, "--prompts");
  row("--model x --out y --preset paper --array 2", 2, "--submit");
  row("--model x --out y --preset paper --submit pbs", 2, "--submit");
  row("--model x --out y --preset paper --submit script --shard 1/2", 2, "--shard");
  row("--model x --out y --preset paper --submit script --mem 1;2", 2,
      "error: --mem: expected a word");
  row("--status x --model y", 2, "--status");
  row("--status /nowhere", 1, "not the folder of a sweep");
  row("--merge /nowhere", 1, "not the folder of a sweep");
}

void tst_cli_sweep::misuseIsRefused() {
  QFETCH(QString, arguments);
  QFETCH(int, exitCode);
  QFETCH(QString, part);
  const QStringList all = QStringList{"sweep"} + arguments.split(' ');
  QCOMPARE(stderrProblem(runCommand(all), exitCode, part), QString());
}

EQUIPATCH_TEST(tst_cli_sweep)
#include "tst_cli_sweep.moc"
