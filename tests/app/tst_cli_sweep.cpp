// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_sweep : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void shardsFillOneFolderAndMerge();
  void anotherSweepIsRefused();
  void cellsAreOrdinaryRuns();
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
}

void tst_cli_sweep::anotherSweepIsRefused() {
  QVERIFY(QFile::exists(path("sweep/sweep.json")));
  QCOMPARE(stderrProblem(sweep({"--noise"}), 1, "holds another sweep"), QString());
}

void tst_cli_sweep::cellsAreOrdinaryRuns() {
  const QString cell = path("sweep/taxi.float32.balanced.open.factored.eqrun");
  const CommandResult rerun = runCommand({"compare", "--rerun", cell, "--json"});
  QCOMPARE(rerun.exitCode, 0);
  QVERIFY2(rerun.err.startsWith("all 2 steps"), rerun.err);
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
