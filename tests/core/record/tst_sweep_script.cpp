// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_script.h"

#include <signal.h>

#include <QProcess>
#include <QTemporaryDir>
#include <fstream>

#include "core/base/paths.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class tst_sweep_script : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void requestedMemoryHasAMarginOfAFifth();
  void requestedTimeIsThriceCellTimePlusAMargin();
  void slurmWordsAreCheckedAndShellWordsQuoted();
  void scriptsContainTheRequest();
  void namesInScriptsAreNotRunAsCommands();
  void onlyScriptsOfSweepsAreReplaced();
  void theTaskRunsItsShardAndEndsOnASignal();
  void submitsTheTableAfterTheTasks();
};

void tst_sweep_script::requestedMemoryHasAMarginOfAFifth() {
  constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;  // Slurm's M is a MiB
  QCOMPARE(memoryText({.estimatedBytes = kGibibyte}), std::string("1300M"));
  QCOMPARE(memoryText({.estimatedBytes = 1, .peakBytes = kGibibyte * 2}),
           std::string("2500M"));
  QCOMPARE(memoryText({}), std::string("100M"));
}

void tst_sweep_script::requestedTimeIsThriceCellTimePlusAMargin() {
  QCOMPARE(timeText({.cellSeconds = 60.0, .cells = 40}), std::string("02:05:00"));
  QCOMPARE(timeText({.cellSeconds = 0.1, .cells = 1}), std::string("00:06:00"));
  QCOMPARE(timeText({.cellSeconds = 6000.0, .cells = 20}), std::string("100:05:00"));
}

void tst_sweep_script::slurmWordsAreCheckedAndShellWordsQuoted() {
  checkSlurmWord("gpu:a100:1");
  for (const char* word : {"", "a b", "a\n#SBATCH --wrap=x", "$(x)", "a;b"})
    QVERIFY_ERROR(checkSlurmWord(word), "expected a word");
  QCOMPARE(shellWord("it's"), std::string("'it'\\''s'"));
  QCOMPARE(shellWord("/plain/path-1.2"), std::string("/plain/path-1.2"));
}

void tst_sweep_script::scriptsContainTheRequest() {
  const SweepTask task{.name = "sweep-tiny",
                       .folder = "/data/my sweep",
                       .program = "/opt/equipatch-cli",
                       .arguments = {"sweep", "--model", "/m/a b"}};
  const TaskRequest request{.tasks = 3,
                            .cpus = 2,
                            .memory = "900M",
                            .time = "00:10:00",
                            .partition = "long",
                            .gres = "gpu:1",
                            .account = "lab"};
  const std::string text = taskScript(task, request);
  for (const char* line :
       {"#!/bin/bash\n", "#SBATCH --array=1-3\n", "#SBATCH --chdir=\"/data/my sweep\"\n",
        "#SBATCH --mem=900M\n", "#SBATCH --time=00:10:00\n",
        "#SBATCH --cpus-per-task=2\n", "#SBATCH --partition=long\n",
        "#SBATCH --gres=gpu:1\n", "#SBATCH --account=lab\n", "#SBATCH --requeue\n",
        "sweep --status '/data/my sweep'\n",
        "/opt/equipatch-cli sweep --model '/m/a b' --shard \"$SLURM_ARRAY_TASK_ID/3\" "
        "&\n"})
    QVERIFY2(contains(text, line), line);
  QVERIFY(!contains(taskScript(task, {}), "partition"));
  const std::string merge = mergeScript(task, request);
  QVERIFY(contains(merge, "/opt/equipatch-cli sweep --merge .\nstatus=$?\n"));
  QVERIFY2(merge.ends_with("\nexit $status\n"), "a failed merge is a failed job");
}

/// A model's name comes from a file that somebody else may have written.
void tst_sweep_script::namesInScriptsAreNotRunAsCommands() {
  const QTemporaryDir place;
  SweepTask task{.name = "sweep-a\ntouch x; $(y) `z`",
                 .folder = place.path().toStdString(),
                 .program = "/opt/equipatch-cli",
                 .arguments = {"sweep"}};
  for (const std::string& text : {taskScript(task, {}), mergeScript(task, {})}) {
    QVERIFY(contains(text, "#SBATCH --job-name=sweep-a-touch-x----y---z-"));
    QVERIFY(!contains(text, "touch x") && !contains(text, "\ntouch"));
  }
  task.folder /= "a\nb";
  QVERIFY_ERROR(writeScripts(task, {}), "line break");
}

void tst_sweep_script::onlyScriptsOfSweepsAreReplaced() {
  const QTemporaryDir place;
  const fs::path folder = place.path().toStdString();
  const SweepTask task{.name = "t", .folder = folder, .program = "/x", .arguments = {}};
  const TaskRequest request{.tasks = 2, .memory = "1M", .time = "00:01:00"};
  writeScripts(task, request);
  writeScripts(task, request);
  for (const char* name : {kTaskScript, kMergeScript}) {
    std::ofstream(folder / name) << "#!/bin/bash\nmine\n";
    QVERIFY_ERROR(writeScripts(task, request), name, "not a script of a sweep");
    fs::remove(folder / name);
  }
}

/// Runs the script as Slurm does. The stand-in for equipatch-cli writes its arguments,
/// waits for SIGTERM and ends 0.1 seconds after the signal.
void tst_sweep_script::theTaskRunsItsShardAndEndsOnASignal() {
  if (qEnvironmentVariableIsSet("EQUIPATCH_EMULATED"))
    QSKIP("qemu does not emulate the system call with which QProcess starts programs");
  const QTemporaryDir place;
  const fs::path folder = place.path().toStdString();
  const auto program = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << "#!/bin/bash\n" << text;
    fs::permissions(folder / name, fs::perms::owner_all);
  };
  program("waiting",
          "trap 'sleep 0.1; echo ended; exit $CODE' TERM\necho \"$@\"\nwhile :; do sleep "
          "0.01; done\n");
  program("scontrol", "echo scontrol \"$@\"\n");
  const SweepTask task{.name = "t",
                       .folder = folder,
                       .program = folder / "waiting",
                       .arguments = {"sweep"}};
  writeScripts(task, {.tasks = 2, .memory = "1M", .time = "00:01:00"});
  QVERIFY(fs::is_directory(folder / kLogFolder));
  for (const auto& [late, code] :
       {std::pair(false, 3), std::pair(true, 3), std::pair(true, 0)}) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SLURM_ARRAY_TASK_ID", "2");
    environment.insert("SLURM_JOB_ID", "17");
    environment.insert("CODE", QString::number(code));
    environment.insert("PATH", place.path() + ":" + environment.value("PATH"));
    process.setProcessEnvironment(environment);
    process.start("/bin/bash", {QString::fromStdString((folder / kTaskScript).string())});
    QVERIFY(process.waitForReadyRead(60'000));
    QCOMPARE(process.readAllStandardOutput(), QByteArray("sweep --shard 2/2\n"));
    ::kill(pid_t(process.processId()), late ? SIGUSR1 : SIGTERM);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.readAllStandardOutput(),
             QByteArray(late && code ? "ended\nscontrol requeue 17\n" : "ended\n"));
    QCOMPARE(process.exitCode(), code);
  }
}

void tst_sweep_script::submitsTheTableAfterTheTasks() {
  const QTemporaryDir place;
  const fs::path folder = place.path().toStdString();
  const test::ChangedEnvironment environment("PATH", place.path().toUtf8());
  QVERIFY_ERROR(submitScripts(folder), "sbatch is not in PATH");
  const auto sbatch = [&](const std::string& text) {
    std::ofstream(folder / "sbatch") << "#!/bin/bash\n" << text;
    fs::permissions(folder / "sbatch", fs::perms::owner_all);
  };
  sbatch("case $3 in --dependency=afterany:17) echo 18;; *) echo '17;cluster';; esac\n");
  const SubmittedJobs jobs = submitScripts(folder);
  QCOMPARE(jobs.tasks, std::string("17"));
  QCOMPARE(jobs.merge, std::string("18"));
  sbatch("echo 'sbatch: error: Invalid partition' >&2; exit 1\n");
  QVERIFY_ERROR(submitScripts(folder), "sbatch refused", "Invalid partition");
  for (const char* answer : {"kill -KILL $$\n", "echo 'sbatch: queued'\n"}) {
    sbatch(answer);
    QVERIFY_ERROR(submitScripts(folder), "may be queued: look with squeue");
  }
}

EQUIPATCH_TEST(tst_sweep_script)
#include "tst_sweep_script.moc"
