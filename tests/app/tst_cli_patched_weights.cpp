// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

/// --exact-for and --save-patched.
class tst_cli_patched_weights : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void reportsOnePatchForSeveralTokens();
  void aSavedCheckpointStatesItsPurpose();
  void savingAStepNeedsNoRecordedPatches();
  void copiedReadmesAreKeptAndWritable();
  void aRunEndingBeforeTheSavedStepIsReported();
  void runFileInTheCheckpointsFolderIsRefused();
};

void tst_cli_patched_weights::reportsOnePatchForSeveralTokens() {
  const QStringList command{"compare", "--model", goldenFolder("gemma3_text"),
                            "--ids",   "5,6,7,8", "--exact-for",
                            "2-3",     "--dtype", "float32"};
  const CommandResult result = runCommand(command);
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(
      result.out.startsWith("gemma3_text, float32 on cpu, factored; 4 prompt tokens\n"),
      result.out);
  QVERIFY2(result.out.contains("\nOne set of patched weights for all 2 tokens; ") &&
               result.out.contains("\n2 of 2 most likely tokens match; "),
           result.out);
  const auto lines = runCommand(command + QStringList{"--json"}).objects();
  QCOMPARE(lines.size(), 3);
  for (const int token : {0, 1}) {
    QCOMPARE(lines[token]["position"].toInt(), 2 + token);
    QCOMPARE(lines[token]["x_id"].toInt(), 7 + token);
    QVERIFY(lines[token]["match"].toBool());
    QVERIFY(lines[token]["bare_linf"].toDouble() > 0.1);
    QVERIFY(lines[token]["linf"].toDouble() < 1e-3);
  }
  const QJsonObject summary = lines[2]["summary"].toObject();
  QCOMPARE(summary["matches"].toInt(), 2);
  QCOMPARE(summary["growth"].toArray().size(), 2);
  const CommandResult one =
      runCommand({"compare", "--model", goldenFolder("gemma3_text"), "--ids", "5",
                  "--steps", "1", "--dtype", "float32"});
  QVERIFY2(one.out.contains("; 1 prompt token\n"), one.out);
}

void tst_cli_patched_weights::aSavedCheckpointStatesItsPurpose() {
  const QTemporaryDir folder;
  const CommandResult result =
      runCommand({"compare", "--model", goldenFolder("gemma3_text"), "--ids", "5,6,7,8",
                  "--steps", "1", "--save-patched", folder.filePath("saved"), "--step",
                  "0", "--dtype", "float32"});
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(result.err.contains("given token 8 alone, it predicts the contextual pass's "
                               "token; the logits"),
           result.err);
  QFile note(folder.filePath("saved/README.md"));
  QVERIFY(note.open(QIODevice::ReadOnly));
  const QByteArray text = note.readAll();
  for (const char* part : {"gemma3\\_text, with a prompt in its weights",
                           "token: 8 at position 3", "token ids 5,6,7,8"})
    QVERIFY2(text.contains(part), text);
}

/// Without --factors the run file has no patches, which take megabytes per step.
void tst_cli_patched_weights::savingAStepNeedsNoRecordedPatches() {
  const QTemporaryDir folder;
  for (const bool factors : {false, true}) {
    const QString run = folder.filePath(factors ? "factors.eqrun" : "run.eqrun");
    QStringList arguments{"compare", "--model", goldenFolder("gemma3_text"), "--ids"};
    arguments << "5,6,7"
              << "--steps"
              << "2"
              << "--step"
              << "1"
              << "--out" << run << "--save-patched"
              << folder.filePath(factors ? "b" : "a");
    if (factors) arguments << "--factors";
    QCOMPARE(runCommand(arguments).exitCode, 0);
    const CommandResult exported = runCommand(
        {"export", "--run", run, "--safetensors", folder.filePath("x.safetensors")});
    QCOMPARE(exported.exitCode, factors ? 0 : 1);
    QCOMPARE(exported.err.contains("the run recorded no patches"), !factors);
  }
}

void tst_cli_patched_weights::copiedReadmesAreKeptAndWritable() {
  const QTemporaryDir model, folder;
  copyGolden("gemma3_text", model.path());
  writeFile(model.filePath("README.md"), "the model's own");
  writeFile(model.filePath("README.original.md"), "the first model's");
  QFile::setPermissions(model.filePath("README.md"), QFile::ReadOwner);
  const CommandResult result = runCommand(
      {"compare", "--model", model.path(), "--ids", "5,6,7", "--exact-for", "1-2",
       "--save-patched", folder.filePath("saved"), "--dtype", "float32"});
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(result.err.contains("given the 2 tokens without their context"), result.err);
  QVERIFY2(result.err.endsWith("saved --ids 6,7 --steps 1\n"), result.err);
  QCOMPARE(contentOf(folder.filePath("saved/README.original.md")), "the first model's");
  QCOMPARE(contentOf(folder.filePath("saved/README.original.2.md")), "the model's own");
  QVERIFY(QFile::permissions(folder.filePath("saved/README.original.2.md"))
              .testFlag(QFile::WriteOwner));
}

void tst_cli_patched_weights::aRunEndingBeforeTheSavedStepIsReported() {
  const QTemporaryDir model, folder;
  copyGolden("gemma3_text", model.path());
  // Every token ends the text.
  QJsonArray all;
  for (int id = 0; id < 192; ++id) all.append(id);
  writeFile(model.filePath("generation_config.json"),
            QJsonDocument(QJsonObject{{"eos_token_id", all}}).toJson());
  const CommandResult result = runCommand(
      {"compare", "--model", model.path(), "--ids", "5,6,7", "--steps", "9",
       "--save-patched", folder.filePath("saved"), "--step", "4", "--dtype", "float32"});
  QCOMPARE(result.exitCode, 1);
  QVERIFY2(result.err.contains("the run ended after 1 step, so there is no step 4"),
           result.err);
  QVERIFY(result.err.contains(" is empty"));
  QVERIFY(QDir(folder.filePath("saved")).isEmpty());
}

/// The checkpoint is written after the run, and only into an empty folder. Therefore the
/// run file must not be in this folder.
void tst_cli_patched_weights::runFileInTheCheckpointsFolderIsRefused() {
  const QTemporaryDir folder;
  const auto result = [&](const QString& recorded) {
    return runCommand({"compare", "--model", goldenFolder("gemma3_text"), "--ids",
                       "5,6,7", "--steps", "1", "--save-patched",
                       folder.filePath("saved/"), "--step", "0", "--out",
                       folder.filePath(recorded)});
  };
  const CommandResult inside = result("./saved/run.eqrun");
  QCOMPARE(inside.exitCode, 2);
  QVERIFY2(inside.err.contains("record the run beside it"), inside.err);
  QVERIFY(!QDir(folder.filePath("saved")).exists());
  const CommandResult beside = result("run.eqrun");
  QVERIFY2(beside.exitCode == 0, beside.err);
}

EQUIPATCH_TEST(tst_cli_patched_weights)
#include "tst_cli_patched_weights.moc"
