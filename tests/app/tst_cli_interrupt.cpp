// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_interrupt : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void firstSignalEndsTheRunWithItsSummary_data();
  void firstSignalEndsTheRunWithItsSummary();
  void aStoppedRecordingNamesTheContinueOption();
  void secondSignalEndsTheProgram();
  void aSignalStopsTokenizing();
  void aKilledExperimentLeavesItsResult();
  void resultsOfOtherProgramsAreNotOverwritten();

 private:
  bool start(QProcess& process, const QStringList& more = {});

  QTemporaryDir m_folder;
};

void tst_cli_interrupt::initTestCase() {
  // With 8192 positions, a run has enough steps for its output to fill the pipe. The
  // program then waits until the test reads.
  copyGolden("llama2_gqa", m_folder.path());
  QFile config(m_folder.filePath("config.json"));
  QVERIFY(config.open(QIODevice::ReadOnly));
  const QByteArray roomy = config.readAll().replace("\"max_position_embeddings\": 128",
                                                    "\"max_position_embeddings\": 8192");
  QVERIFY(roomy.contains("8192"));
  writeFile(m_folder.filePath("config.json"), roomy);
}

/// Starts a long run. @returns whether the run has written output
bool tst_cli_interrupt::start(QProcess& process, const QStringList& more) {
  process.setReadChannel(QProcess::StandardOutput);
  process.start(commandPath(),
                QStringList{"compare", "--model", m_folder.path(), "--ids", "5,6,7",
                            "--steps", "8000", "--ignore-eos", "--json", "--layers-out"} +
                    more);
  return process.waitForReadyRead(60'000) && process.processId() > 0;
}

void tst_cli_interrupt::firstSignalEndsTheRunWithItsSummary_data() {
  QTest::addColumn<int>("signal");
  QTest::newRow("SIGINT") << SIGINT;
  QTest::newRow("SIGTERM") << SIGTERM;
}

void tst_cli_interrupt::firstSignalEndsTheRunWithItsSummary() {
  QFETCH(int, signal);
  QProcess process;
  QVERIFY(start(process));
  ::kill(pid_t(process.processId()), signal);
  QVERIFY(process.waitForFinished(60'000));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 1);
  const QByteArray err = process.readAllStandardError();
  QVERIFY2(err.startsWith("error: stopped on request after "), err);
  QVERIFY2(err.endsWith(" of 8000 steps\n"), err);
  const QByteArray last = process.readAllStandardOutput().trimmed().split('\n').last();
  const auto summary = QJsonDocument::fromJson(last)["summary"];
  QVERIFY2(summary.isObject(), last);
  QVERIFY(summary["steps"].toInt() >= 1);
  QVERIFY(summary["steps"].toInt() < 8000);
}

void tst_cli_interrupt::aStoppedRecordingNamesTheContinueOption() {
  const QString file = m_folder.filePath("a run.eqrun");
  QProcess process;
  QVERIFY(start(process, {"--out", file}));
  ::kill(pid_t(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(60'000));
  const QString err = QString::fromUtf8(process.readAllStandardError());
  QVERIFY2(err.endsWith("; go on with --continue '" + file + "'\n"), qPrintable(err));
}

void tst_cli_interrupt::secondSignalEndsTheProgram() {
  QProcess process;
  QVERIFY(start(process));
  // Both signals stay pending until SIGCONT, so the program cannot end after the first.
  for (const int signal : {SIGSTOP, SIGINT, SIGTERM, SIGCONT})
    ::kill(pid_t(process.processId()), signal);
  QVERIFY(process.waitForFinished(60'000));
  QVERIFY(process.exitCode() == 128 + SIGTERM || process.exitCode() == 128 + SIGINT);
}

/// Without the signal, the program would report that the long text exceeds the
/// tokenizer's time limit.
void tst_cli_interrupt::aSignalStopsTokenizing() {
  QTemporaryDir folder;
  QJsonObject tokenizer = QJsonDocument::fromJson(tinyTokenizerJson()).object();
  tokenizer["pre_tokenizer"] =
      QJsonObject{{"type", "Split"},
                  {"pattern", QJsonObject{{"Regex", "(a+)+[xy]"}}},
                  {"behavior", "Isolated"},
                  {"invert", false}};
  writeFile(folder.filePath("tokenizer.json"), QJsonDocument(tokenizer).toJson());
  writeFile(folder.filePath("config.json"), "{}");
  const QByteArray slow = QByteArray("aaaaaaaaaaaaaaaaab").repeated(50'000);
  writeFile(folder.filePath("texts.jsonl"),
            QByteArray("\"ab\"\n").repeated(5000) + "\"" + slow + "\"\n");
  QProcess process;
  process.start(commandPath(), {"tokenize", "--model", folder.path(), "--jsonl",
                                folder.filePath("texts.jsonl")});
  // After 4500 of 5000 short texts, the program tokenizes the long text or soon will.
  QByteArray out;
  while (out.count('\n') < 4500) {
    // QVERIFY2 would evaluate its message, and so consume standard error, each time.
    const bool isReady = process.waitForReadyRead(60'000);
    if (!isReady) QFAIL(process.readAllStandardError());
    out += process.readAllStandardOutput();
  }
  QVERIFY(process.processId() > 0);
  ::kill(pid_t(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(60'000));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.readAllStandardError(), QByteArray("error: stopped on request\n"));
  QCOMPARE(process.exitCode(), 1);
}

void tst_cli_interrupt::aKilledExperimentLeavesItsResult() {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("theorem.json"));
  QProcess process;
  process.start(commandPath(), {"lab", "theorem", "--set", "pairs=8", "--set", "batch=4",
                                "--set", "steps=200000", "--out", folder.path()});
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 60'000);
  process.kill();
  QVERIFY(process.waitForFinished(60'000));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonObject result = QJsonDocument::fromJson(file.readAll()).object();
  QCOMPARE(result["experiment"].toString(), QStringLiteral("theorem"));
  QVERIFY(!result["finished"].toBool(true));
}

void tst_cli_interrupt::resultsOfOtherProgramsAreNotOverwritten() {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("theorem.json"));
  const auto seedIn = [&](const char* name) {
    const auto result =
        QJsonDocument::fromJson(contentOf(folder.filePath(QString::fromLatin1(name))));
    return result["origin"]["seed"].toInt(-1);
  };
  const QStringList tiny{"lab",     "theorem", "--set",   "pairs=8", "--set",
                         "batch=4", "--set",   "tasks=3", "--out",   folder.path()};
  QProcess process;
  process.start(commandPath(),
                tiny + QStringList{"--set", "steps=200000", "--seed", "1"});
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 60'000);
  QCOMPARE(runCommand(tiny + QStringList{"--set", "steps=1", "--seed", "2"}).exitCode, 0);
  ::kill(pid_t(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(60'000));
  QVERIFY(process.readAllStandardError().contains("theorem-2.json"));
  QCOMPARE(seedIn("theorem.json"), 2);
  QCOMPARE(seedIn("theorem-2.json"), 1);
}

EQUIPATCH_TEST(tst_cli_interrupt)
#include "tst_cli_interrupt.moc"
