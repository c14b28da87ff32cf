// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>

#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

/// Run files that cannot be written or read, and continued runs.
class tst_cli_recording : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aFileSizeLimitIsNamedAndKeepsTheSteps();
  void aRunFileLostDuringTheRunIsReported_data();
  void aRunFileLostDuringTheRunIsReported();
  void runsWithoutStepsAreReported_data();
  void runsWithoutStepsAreReported();
  void onlyRunFilesAreOfferedForReplacement();
  void exportsReportTheWrittenFiles();
  void anInterruptedRunIsContinued();
  void requestsAreRefusedBeforeLoadingTheModel();
  void aStrangersRunCannotControlTheTerminal();

 private:
  QString path(const char* name) const { return m_folder.filePath(name); }
  QStringList compare(const QString& model, const char* steps) const {
    return {"compare", "--model",      model,   "--ids",           "5,6,7",  "--steps",
            steps,     "--ignore-eos", "--out", path("run.eqrun"), "--force"};
  }
  QTemporaryDir m_folder;
};

void tst_cli_recording::aFileSizeLimitIsNamedAndKeepsTheSteps() {
  QProcess process;
  process.start("bash",
                QStringList{"-c", "ulimit -f 200; exec \"$0\" \"$@\"", commandPath()} +
                    compare(goldenFolder("gemma3_text"), "100"));
  QVERIFY(process.waitForFinished(120'000));
  const QString err = process.readAllStandardError();
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 1);
  QCOMPARE(err, "error: " + path("run.eqrun") +
                    ": the run cannot be recorded (this process may not write files "
                    "larger than 205 kB, see ulimit -f); raise the limit\n");
  const CommandResult read =
      runCommand({"export", "--run", path("run.eqrun"), "--json", "-"});
  QCOMPARE(read.err, QByteArray());
  QVERIFY(read.out.count("\"position\"") > 5);
}

void tst_cli_recording::aRunFileLostDuringTheRunIsReported_data() {
  QTest::addColumn<bool>("removed");
  QTest::newRow("removed") << true;
  QTest::newRow("emptied") << false;
}

/// The output fills the pipe, so the program cannot finish before the test reads.
void tst_cli_recording::aRunFileLostDuringTheRunIsReported() {
  QFETCH(bool, removed);
  copyGolden("llama2_gqa", m_folder.path());
  QFile config(path("config.json"));
  QVERIFY(config.open(QIODevice::ReadOnly));
  writeFile(path("config.json"),
            config.readAll().replace("\"max_position_embeddings\": 128",
                                     "\"max_position_embeddings\": 8192"));
  QProcess process;
  process.setReadChannel(QProcess::StandardOutput);
  process.start(commandPath(),
                compare(m_folder.path(), "8000") + QStringList{"--json", "--layers-out"});
  QVERIFY(process.waitForReadyRead(60'000));
  QVERIFY(removed ? QFile::remove(path("run.eqrun"))
                  : QFile::resize(path("run.eqrun"), 0));
  QVERIFY(process.waitForFinished(120'000));
  QCOMPARE(process.exitCode(), 1);
  const QString err = process.readAllStandardError();
  // If the program is writing a step at this moment, the emptied file grows again. The
  // error then says "damaged" instead of "truncated".
  const QStringList losses =
      removed ? QStringList{"removed"} : QStringList{"truncated", "damaged"};
  const bool isTold = std::ranges::any_of(losses, [&](const QString& loss) {
    return err.startsWith("error: " + path("run.eqrun") + " was " + loss +
                          " while the run was being recorded; ");
  });
  // If SQLite notices the truncation while it writes a step, its rollback restores the
  // file.
  const bool isRestored =
      !removed && err.startsWith("error: " + path("run.eqrun") +
                                 ": the run cannot be recorded (database disk image");
  QVERIFY2((isTold || isRestored) && err.count('\n') == 1, qPrintable(err));
  // SQLite may also write the emptied file's pages again. Then steps can be saved.
  const bool isSaved =
      err.contains("steps saved: ") && err.contains(", in " + path("run-rescued.eqrun"));
  const bool isEmpty = !removed && err.contains("no step could be saved (0 of ");
  QVERIFY2(isSaved || isEmpty || isRestored, qPrintable(err));
  QVERIFY(process.readAllStandardOutput().contains("\"summary\""));
  QCOMPARE(QFile::exists(path("run-rescued.eqrun")), isSaved);
  if (isSaved) {
    static const QRegularExpression saved(QStringLiteral("steps saved: (\\d+) of "));
    const equipatch::StoredRun rescued =
        equipatch::readRun(path("run-rescued.eqrun").toStdString());
    QCOMPARE(rescued.damage, std::string());
    QCOMPARE(QString::number(rescued.steps.size()), saved.match(err).captured(1));
  }
  QFile::remove(path("run-rescued.eqrun"));
}

void tst_cli_recording::runsWithoutStepsAreReported_data() {
  QTest::addColumn<bool>("empty");
  QTest::newRow("0 bytes") << true;
  QTest::newRow("no step") << false;
}

void tst_cli_recording::runsWithoutStepsAreReported() {
  QFETCH(bool, empty);
  const QString run = path("few.eqrun"), out = path("few.json");
  QFile::remove(run);
  if (empty) {
    writeFile(run, "");
  } else {
    equipatch::RunHeader header;
    header.layers = header.width = 1;
    header.modelFolder = goldenFolder("gemma3_text").toStdString();
    header.request.prompt = {{.id = equipatch::TokenId(5)}};
    equipatch::RunWriter(run.toStdString(), header);
  }
  for (const QStringList& command :
       {QStringList{"export", "--run", run, "--json", out}, QStringList{"diff", run, run},
        QStringList{"compare", "--rerun", run}}) {
    const CommandResult result = runCommand(command);
    const QString expected = empty ? "error: " + run + " is empty"
                                   : "note: " + run + " holds no finished step\n";
    QVERIFY2(QString::fromUtf8(result.err).contains(expected), result.err);
    if (empty) QCOMPARE(stderrProblem(result, 1, "expected a run file"), QString());
  }
}

void tst_cli_recording::onlyRunFilesAreOfferedForReplacement() {
  QCOMPARE(::mkfifo(qPrintable(path("pipe")), 0600), 0);
  writeFile(path("letter"), "Dear reader");
  for (const char* name : {"pipe", "letter"}) {
    const CommandResult result =
        runCommand({"compare", "--model", goldenFolder("gemma3_text"), "--ids", "1",
                    "--out", path(name)});
    QCOMPARE(stderrProblem(result, 1, "is not a run file"), QString());
    QVERIFY2(!result.err.contains("--force"), result.err);
  }
  QCOMPARE(stderrProblem(runCommand({"inspect", "--model", path("pipe")}), 1,
                         "is a pipe or device; expected a model's folder"),
           QString());
}

void tst_cli_recording::exportsReportTheWrittenFiles() {
  QCOMPARE(
      runCommand(compare(goldenFolder("gemma3_text"), "2") + QStringList{"--factors"})
          .exitCode,
      0);
  const auto said = [this](const QStringList& more) {
    const CommandResult result =
        runCommand(QStringList{"export", "--run", path("run.eqrun")} + more);
    return QString::fromUtf8(result.err) + QString::fromUtf8(result.out);
  };
  QCOMPARE(said({"--csv", path("tables")}),
           "wrote the tables of 2 steps into the folder " + path("tables") + "\n");
  QCOMPARE(
      said({"--run", path("run.eqrun"), "--csv", path("both")}),
      "wrote the tables of 2 runs and 4 steps into the folder " + path("both") + "\n");
  QFile both(path("both/steps.csv"));
  QVERIFY(both.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = both.readAll().split('\n');
  QCOMPARE(lines.size(), 6);
  QVERIFY(lines[0].startsWith("run,step,position,"));
  QVERIFY(lines[1].contains(" #1,0,") && lines[4].contains(" #2,1,"));
  QCOMPARE(said({"--peft", path("adapter"), "--step", "1"}),
           "wrote the patch of step 1 as an adapter into the folder " + path("adapter") +
               "\n");
  for (const char* format : {"--json", "--npz", "--safetensors"}) {
    QCOMPARE(said({format, path("out")}), "wrote " + path("out") + "\n");
    QFile::remove(path("out"));
    QCOMPARE(runCommand({"export", "--run", path("run.eqrun"), format, "-"}).err,
             QByteArray());
  }
}

void tst_cli_recording::anInterruptedRunIsContinued() {
  using namespace equipatch;
  const QStringList command = {"compare", "--model",   goldenFolder("gemma3_text"),
                               "--ids",   "5,6,7",     "--steps",
                               "40",      "--factors", "--ignore-eos",
                               "--noise", "--out"};
  const auto file = [this](const char* name) { return path(name).toStdString(); };
  const CommandResult recorded = runCommand(command + QStringList{path("whole.eqrun")});
  QCOMPARE(recorded.exitCode, 0);
  QCOMPARE(recorded.err, ("wrote " + path("whole.eqrun") + '\n').toUtf8());
  const CommandResult odd =
      runCommand({"compare", "--model", goldenFolder("gemma3_text"), "--ids", "5,6",
                  "--steps", "1", "--out", path("odd.txt")});
  QCOMPARE(odd.exitCode, 0);
  QVERIFY2(odd.err.contains("note: ") &&
               odd.err.contains(("rename it to " + path("odd.eqrun")).toUtf8()),
           odd.err);
  const StoredRun whole = readRun(file("whole.eqrun"));
  QCOMPARE(whole.steps.size(), 40u);
  {
    RunFile source(file("whole.eqrun"));
    RunWriter writer(file("half.eqrun"), *source.header());
    for (int step = 0; step < 17; ++step)
      writer.add(*source.step(StepIndex(step), FactorDetail::Include));
  }
  const CommandResult copied = runCommand({"compare", "--continue", path("half.eqrun"),
                                           "--out", path("copy.eqrun"), "--json"});
  QCOMPARE(copied.err, QByteArray());
  QCOMPARE(copied.objects().size(), 41);  // steps and summary
  const CommandResult added = runCommand({"compare", "--continue", path("half.eqrun")});
  QCOMPARE(added.err, QByteArray());
  QVERIFY(added.out.contains("40 of 40"));
  for (const char* name : {"half.eqrun", "copy.eqrun"}) {
    const StoredRun run = readRun(file(name));
    QVERIFY(run.ending == RunEnding::Complete);
    QCOMPARE(run.steps.size(), 40u);
    for (std::size_t step = 0; step < 40; ++step)
      QVERIFY(sameResults(*run.steps[step], *whole.steps[step]));
    RunFile there(file(name)), expected(file("whole.eqrun"));
    for (const int step : {3, 30})
      QVERIFY(*there.step(StepIndex(step), FactorDetail::Include)->factors ==
              *expected.step(StepIndex(step), FactorDetail::Include)->factors);
    QVERIFY(runCommand({"compare", "--rerun", path(name)}).exitCode == 0);
  }
  // This --out would replace the recorded run before the program reads the run.
  for (const char* how : {"--continue", "--rerun"}) {
    const CommandResult onto = runCommand(
        {"compare", how, path("half.eqrun"), "--out", path("half.eqrun"), "--force"});
    QCOMPARE(onto.exitCode, 1);
    QVERIFY2(onto.err.contains("is the recorded run itself"), onto.err);
    QCOMPARE(readRun(file("half.eqrun")).steps.size(), 40u);
  }
  QVERIFY(QFile::copy(path("half.eqrun"), path("cut.eqrun")));
  QFile cut(path("cut.eqrun"));
  QVERIFY(cut.resize(cut.size() * 3 / 4));
  const CommandResult refused = runCommand({"compare", "--continue", path("cut.eqrun")});
  QCOMPARE(refused.err.count("cut.eqrun: "), 1);
  QVERIFY2(refused.err.contains("the file is cut short, it has ") &&
               refused.err.contains("in another file (compare --out OTHER.eqrun)"),
           refused.err);
  const CommandResult again = runCommand({"compare", "--continue", path("half.eqrun")});
  QCOMPARE(again.exitCode, 1);
  QVERIFY(again.err.contains("the run is complete with 40 steps"));
  QVERIFY(runCommand({"compare", "--continue", path("half.eqrun"), "--steps", "9"})
              .exitCode == 2);
}

void tst_cli_recording::requestsAreRefusedBeforeLoadingTheModel() {
  const QTemporaryDir model;
  copyGolden("gemma3_text", model.path());
  QCOMPARE(runCommand(compare(model.path(), "2")).exitCode, 0);
  QVERIFY(QFile::remove(model.filePath("config.json")));  // loading would fail
  QCOMPARE(stderrProblem(runCommand({"compare", "--continue", path("run.eqrun")}), 1,
                         "complete with 2 steps; nothing is left to continue"),
           QString());
  const QString place = path("no/other.eqrun");
  QCOMPARE(stderrProblem(runCommand({"compare", "--model", model.path(), "--ids", "5",
                                     "--out", place}),
                         1, "there is no folder"),
           QString());
}

void tst_cli_recording::aStrangersRunCannotControlTheTerminal() {
  using namespace equipatch;
  QCOMPARE(runCommand(compare(goldenFolder("gemma3_text"), "3")).exitCode, 0);
  {
    RunFile source(path("run.eqrun").toStdString());
    RunHeader header = *source.header();
    header.modelName = "red \x1b[31m";
    header.provenance.processor = "green \x1b[32m";
    RunWriter writer(path("strange.eqrun").toStdString(), header);
    for (int index = 0; index < 2; ++index) {
      StepRecord step = *source.step(StepIndex(index), FactorDetail::Omit);
      if (index == 0) step.continuedBytes = "blue \x1b[34m\n";
      writer.add(step);
    }
  }
  const CommandResult again = runCommand({"compare", "--rerun", path("strange.eqrun")});
  QVERIFY2(again.err.contains(" instead of green  [32m\n"), again.err);
  QVERIFY(!again.err.contains('\x1b'));
  const CommandResult continued =
      runCommand({"compare", "--continue", path("strange.eqrun")});
  QVERIFY2(continued.exitCode == 0, continued.err);
  QVERIFY2(continued.out.startsWith("red  [31m, "), continued.out);
  QVERIFY2(continued.out.contains("\nblue  [34m\n"), continued.out);
  QVERIFY(!continued.out.contains('\x1b'));
}

EQUIPATCH_TEST(tst_cli_recording)
#include "tst_cli_recording.moc"
