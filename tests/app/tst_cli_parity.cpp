// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_parity : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void checksTheProgramsOwnCheckpoints();
  void printsAMarkdownTable();
  void checksAGivenCheckpoint();
  void aDifferenceFromTheReferenceIsAFailure();
  void checksContinueAfterAFailedFolder();
  void reportsAMissingReference();
};

void tst_cli_parity::checksTheProgramsOwnCheckpoints() {
  const CommandResult result = runCommand({"parity", "--steps", "2"});
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  for (const char* folder : {"llama2_gqa", "llama3_tied", "gemma3_text", "gemma3_mm"})
    QVERIFY2(result.out.contains(folder), result.out);
  QVERIFY(!result.out.contains("✗"));
}

void tst_cli_parity::printsAMarkdownTable() {
  const CommandResult result =
      runCommand({"parity", goldenFolder("gemma3_text"), "--markdown", "--steps", "2"});
  QCOMPARE(result.exitCode, 0);
  const auto lines = result.out.trimmed().split('\n');
  QCOMPARE(lines.size(), 3);
  for (const QByteArray& line : lines) QCOMPARE(line.count('|'), lines[1].count('|'));
  QVERIFY(lines[2].startsWith("| Gemma3ForCausalLM | gemma3_text | "));
}

void tst_cli_parity::checksAGivenCheckpoint() {
  const auto objects =
      runCommand({"parity", goldenFolder("llama2_gqa"), "--json", "--steps", "8"})
          .objects();
  QCOMPARE(objects.size(), 1);
  const QJsonObject row = objects[0];
  QVERIFY(row["passed"].toBool());
  QVERIFY(row["greedy_equal"].toBool());
  for (const char* key : {"logits", "hidden", "modules"}) {
    QVERIFY(row[key].toDouble() > 0.0);
    QVERIFY(row[key].toDouble() < 1e-4);
  }
  QCOMPARE(row["float32"].toObject()["steps"].toInt(), 8);
  QCOMPARE(row["float64"].toObject()["matches"].toInt(), 8);
  QVERIFY(row["float64"].toObject()["ratio"].toDouble() < 1e-10);
  const QJsonObject bfloat16 = row["bfloat16"].toObject();
  QCOMPARE(bfloat16["steps"].toInt(), 8);
  QVERIFY(bfloat16["linf_max"].toDouble() < bfloat16["noise_floor"].toDouble());
}

void tst_cli_parity::aDifferenceFromTheReferenceIsAFailure() {
  QTemporaryDir folder;
  copyGolden("llama2_gqa", folder.path());
  QVERIFY(QFile::copy(goldenFolder("llama3_tied") + "/golden.safetensors",
                      folder.filePath("golden.safetensors")));
  const CommandResult result = runCommand({"parity", folder.path(), "--steps", "1"});
  QCOMPARE(result.exitCode, 1);
  QCOMPARE(result.err, QByteArray());
  QVERIFY2(result.out.contains("✗"), result.out);
}

void tst_cli_parity::checksContinueAfterAFailedFolder() {
  const QStringList folders{"/nowhere/golden", goldenFolder("llama2_gqa")};
  const CommandResult table = runCommand(QStringList{"parity", "--steps", "1"} + folders);
  QCOMPARE(table.exitCode, 1);
  QVERIFY2(table.err.contains("/nowhere/golden"), table.err);
  QVERIFY2(table.out.contains("llama2_gqa"), table.out);
  const CommandResult lines =
      runCommand(QStringList{"parity", "--json", "--steps", "1"} + folders);
  QVERIFY2(lines.err.startsWith("error: /nowhere/golden"), lines.err);
  const auto rows = lines.objects();
  QCOMPARE(rows.size(), 2);
  QVERIFY(rows[0]["error"].toString().contains("/nowhere/golden"));
  QVERIFY(!rows[0]["passed"].toBool(true));
  QVERIFY(rows[1]["passed"].toBool());
}

void tst_cli_parity::reportsAMissingReference() {
  QTemporaryDir folder;
  copyGolden("llama2_gqa", folder.path());  // without golden.safetensors
  const CommandResult result = runCommand({"parity", folder.path()});
  QCOMPARE(result.exitCode, 1);
  QVERIFY2(result.err.contains("golden.safetensors"), result.err);
  QCOMPARE(stderrProblem(runCommand({"parity", "--steps", "0"}), 2, "--steps"),
           QString());
}

EQUIPATCH_TEST(tst_cli_parity)
#include "tst_cli_parity.moc"
