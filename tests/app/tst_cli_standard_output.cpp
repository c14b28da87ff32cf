// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/current_folder.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

/// Where a command writes one file, "-" is standard output.
class tst_cli_standard_output : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void streamedExportsEqualTheFile_data();
  void streamedExportsEqualTheFile();
  void aFailedExportWritesNoOutput();
  void aFileMayBeCalledADash();
  void streamedLogitsEqualTheFile();
  void aLabResultIsStreamed();
  void aSweepsTableIsStreamed();
  void outputsThatCannotBeStreamedRefuseADash_data();
  void outputsThatCannotBeStreamedRefuseADash();

 private:
  QString path(const QString& name) const { return m_folder.filePath(name); }
  QTemporaryDir m_folder;
};

void tst_cli_standard_output::initTestCase() {
  QCOMPARE(runCommand({"compare", "--model", goldenFolder("gemma3_text"), "--ids",
                       "5,6,7", "--steps", "2", "--ignore-eos", "--threads", "1", "--out",
                       path("run.eqrun"), "--factors"})
               .exitCode,
           0);
}

void tst_cli_standard_output::streamedExportsEqualTheFile_data() {
  QTest::addColumn<QString>("format");
  for (const char* format : {"--latex", "--json", "--npz", "--safetensors", "--html"})
    QTest::newRow(format) << QString(format);
}

void tst_cli_standard_output::streamedExportsEqualTheFile() {
  QFETCH(QString, format);
  const QStringList command{"export", "--run", path("run.eqrun"), format};
  const QString file = path("file" + format);
  QCOMPARE(runCommand(command + QStringList{file}).exitCode, 0);
  const CommandResult streamed = runCommand(command + QStringList{"-"});
  QCOMPARE(streamed.exitCode, 0);
  QCOMPARE(streamed.err, QByteArray());
  QVERIFY(streamed.out.size() > 1000);
  QVERIFY(streamed.out == contentOf(file));
  QVERIFY(!QFile::exists("-"));
}

void tst_cli_standard_output::aFailedExportWritesNoOutput() {
  QCOMPARE(stderrProblem(runCommand({"export", "--run", path("run.eqrun"),
                                     "--safetensors", "-", "--step", "2"}),
                         1, "its steps are 0 to 1"),
           QString());
}

void tst_cli_standard_output::aFileMayBeCalledADash() {
  const CurrentFolder current(m_folder.path());
  const CommandResult named =
      runCommand({"export", "--run", path("run.eqrun"), "--json", "./-"});
  QCOMPARE(named.exitCode, 0);
  QCOMPARE(named.out, QByteArray());
  QVERIFY(contentOf(path("-")).startsWith("{\"run\": {"));
}

void tst_cli_standard_output::streamedLogitsEqualTheFile() {
  const QStringList command{"logits", "--model", goldenFolder("llama2_gqa"),
                            "--ids",  "1,2",     "--out"};
  const CommandResult named = runCommand(command + QStringList{path("l.safetensors")});
  QVERIFY(named.out.contains("1 tensor"));
  const CommandResult streamed = runCommand(command + QStringList{"-"});
  QCOMPARE(streamed.exitCode, 0);
  QVERIFY(streamed.out == contentOf(path("l.safetensors")));
  QCOMPARE(streamed.err, QByteArray("standard output: 1 tensor\n"));
}

void tst_cli_standard_output::aLabResultIsStreamed() {
  const CommandResult result =
      runCommand({"lab", "theorem", "--set", "steps=3", "--set", "pairs=4", "--set",
                  "tasks=3", "--set", "grid=2", "--out", "-"});
  QCOMPARE(result.exitCode, 0);
  const QJsonObject document = QJsonDocument::fromJson(result.out).object();
  QVERIFY(document["finished"].toBool());
  QVERIFY(document["panels"].toArray().size() >= 4);
  QVERIFY2(result.err.contains("(theorem, own, seed 0"), result.err);
  QVERIFY(!QFile::exists("-"));
}

void tst_cli_standard_output::aSweepsTableIsStreamed() {
  QVERIFY(QDir(m_folder.path()).mkpath("model"));
  copyGolden("gemma3_text", path("model"));
  writeFile(path("model/tokenizer.json"), tinyTokenizerJson());
  writeFile(path("prompts.jsonl"), "\"abc\"\n");
  QCOMPARE(runCommand({"sweep", "--model", path("model"), "--prompts",
                       path("prompts.jsonl"), "--steps", "2", "--ignore-eos", "--threads",
                       "1", "--out", path("sweep")})
               .exitCode,
           0);
  const QStringList merge{"sweep", "--merge", path("sweep"), "--out"};
  const CommandResult streamed = runCommand(merge + QStringList{"-"});
  QCOMPARE(streamed.exitCode, 0);
  QCOMPARE(streamed.out.count('\n'), 2);
  QVERIFY2(streamed.err.contains("balanced closed factored"), streamed.err);
  QVERIFY(!QFile::exists(path("sweep/summary.csv")));
  for (int time = 0; time < 2; ++time) {  // an existing table is replaced
    const CommandResult written = runCommand(merge + QStringList{path("table.csv")});
    QCOMPARE(written.exitCode, 0);
    QCOMPARE(written.err, "wrote " + path("table.csv").toUtf8() + "\n");
  }
  QCOMPARE(contentOf(path("table.csv")), streamed.out);
  QVERIFY(!QFile::exists(path("sweep/summary.csv")));
  QCOMPARE(runCommand(merge + QStringList{path("prompts.jsonl")}).exitCode, 1);
  QCOMPARE(contentOf(path("prompts.jsonl")), QByteArray("\"abc\"\n"));
}

void tst_cli_standard_output::outputsThatCannotBeStreamedRefuseADash_data() {
  QTest::addColumn<QString>("arguments");
  const auto row = [](const char* arguments) {
    QTest::newRow(arguments) << QString(arguments);
  };
  row("export --run x --csv -");
  row("export --run x --peft - --step 0");
  row("compare --model x --ids 1 --out -");
  row("compare --model x --ids 1 --save-patched - --step 0");
  row("compare --rerun x --out -");
  row("sweep --model x --preset paper --out -");
  row("sweep --model x --out -");
  row("lab all --out -");
}

void tst_cli_standard_output::outputsThatCannotBeStreamedRefuseADash() {
  QFETCH(QString, arguments);
  const CommandResult result = runCommand(arguments.split(' '));
  QCOMPARE(stderrProblem(result, 2, "cannot be written; give a name"), QString());
  QVERIFY2(result.err.contains("./-"), result.err);
  QVERIFY(!QFileInfo::exists("-"));
}

EQUIPATCH_TEST(tst_cli_standard_output)
#include "tst_cli_standard_output.moc"
