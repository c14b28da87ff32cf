// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <cerrno>
#include <fstream>
#include <thread>

#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_child_process : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void connectsTheStandardStreams();
  void transfersMegabytesInBothDirections();
  void reportsExitCodeAndSignal();
  void reportsProgramsThatCannotStart();
  void passesOnlyTheGivenEnvironmentAndStreams();
  void limitsWallClockTime();
  void limitsCpuTime();
  void limitsOutput();
  void truncatesLongStandardError();
  void setsTheLimitsOfMemoryFilesAndCpuTime();
  void stopsOnRequest();
  void leavesNoProcessBehind();
  void acceptsAChildThatReadsNothing();
};

namespace {

ChildRequest shell(const std::string& script, const std::string& input = {}) {
  return {.program = "/bin/sh", .arguments = {"-c", script}, .input = input};
}

}  // namespace

void tst_child_process::connectsTheStandardStreams() {
  const std::string input("a\0b\n", 4);
  const ChildResult result = runChild(shell("cat; echo oops >&2", input));
  QCOMPARE(result.ending, ChildEnding::Exited);
  QCOMPARE(result.code, 0);
  QCOMPARE(result.output, input);
  QCOMPARE(result.standardError, std::string("oops\n"));
}

/// Input and output are larger than the buffers of the sockets.
void tst_child_process::transfersMegabytesInBothDirections() {
  std::string much;
  for (int i = 0; much.size() < 5'000'000; ++i) much += std::to_string(i);
  QVERIFY(runChild(shell("cat", much)).output == much);
}

void tst_child_process::reportsExitCodeAndSignal() {
  QCOMPARE(runChild(shell("exit 7")).code, 7);
  const ChildResult killed = runChild(shell("kill -9 $$"));
  QCOMPARE(killed.ending, ChildEnding::Killed);
  QCOMPARE(killed.code, SIGKILL);
}

void tst_child_process::reportsProgramsThatCannotStart() {
  const ChildResult missing = runChild({.program = "/nonexistent/program"});
  QCOMPARE(missing.ending, ChildEnding::NotStarted);
  QCOMPARE(missing.code, ENOENT);
  QTemporaryDir folder;
  const std::string file = folder.filePath("plain").toStdString();
  std::ofstream(file) << "text";
  QCOMPARE(runChild({.program = file}).code, EACCES);
}

void tst_child_process::passesOnlyTheGivenEnvironmentAndStreams() {
  const test::ChangedEnvironment environment("EQUIPATCH_SECRET", "1");
  const int open = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ChildRequest request = shell(
      "env; ls /proc/self/fd | wc -l; "
      "read -r id name state parent group rest </proc/$$/stat; test $$ = $group");
  request.environment = {{"PATH", "/usr/bin:/bin"}};
  const ChildResult result = runChild(request);
  ::close(open);
  QVERIFY2(result.code == 0, "the child does not lead a process group of its own");
  QCOMPARE(result.output.find("SECRET"), std::string::npos);
  QVERIFY(result.output.find("PATH=/usr/bin:/bin\n") != std::string::npos);
  // ls lists its three streams and the folder that it reads.
  QVERIFY2(result.output.find("\n4\n") != std::string::npos, result.output.c_str());
}

void tst_child_process::limitsWallClockTime() {
  // Within the default limit, 10 seconds, this command would end.
  ChildRequest request = shell("echo begun; sleep 5; echo ended");
  request.limits.wallClock = std::chrono::seconds(1);
  const ChildResult result = runChild(request);
  QCOMPARE(result.ending, ChildEnding::TimedOut);
  QCOMPARE(result.output, std::string("begun\n"));
}

void tst_child_process::limitsCpuTime() {
  ChildRequest request = shell("while :; do :; done");
  request.limits.cpuSeconds = 1;
  QCOMPARE(runChild(request).ending, ChildEnding::Killed);
}

void tst_child_process::limitsOutput() {
  ChildRequest request = shell("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaa; done");
  request.limits.outputBytes = 100'000;
  const ChildResult result = runChild(request);
  QCOMPARE(result.ending, ChildEnding::OutputTooLarge);
  QCOMPARE(result.output.size(), std::size_t{100'001});
  request = shell("echo 12345");
  request.limits.outputBytes = 6;  // exactly the output
  QCOMPARE(runChild(request).ending, ChildEnding::Exited);
}

void tst_child_process::truncatesLongStandardError() {
  const ChildResult result = runChild(shell("head -c 1000000 /dev/zero >&2; echo done"));
  QCOMPARE(result.ending, ChildEnding::Exited);
  QCOMPARE(result.output, std::string("done\n"));
  QCOMPARE(result.standardError.size(), std::size_t{64 * 1024});
}

void tst_child_process::setsTheLimitsOfMemoryFilesAndCpuTime() {
  if (qEnvironmentVariableIsSet("EQUIPATCH_EMULATED"))
    QSKIP("qemu ignores the memory limit, because its own memory would count");
  ChildRequest request = shell("ulimit -v; ulimit -f; ulimit -t");
  request.limits.memoryBytes = std::uint64_t{1} << 30;
  request.limits.cpuSeconds = 3;
  QCOMPARE(runChild(request).output, std::string("1048576\n0\n3\n"));
}

void tst_child_process::stopsOnRequest() {
  QTemporaryDir folder;
  const std::string pipe = folder.filePath("pipe").toStdString();
  QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
  std::stop_source source;
  std::jthread other([&] {
    // Waits until the child opens the pipe.
    const std::ifstream begun(pipe);
    source.request_stop();
  });
  QVERIFY_ERROR(
      runChild(shell("echo begun >'" + pipe + "'; sleep 1000"), source.get_token()),
      "stopped");
  // The stop was requested before this start.
  QVERIFY_ERROR(runChild(shell("sleep 1000"), source.get_token()), "stopped");
}

void tst_child_process::leavesNoProcessBehind() {
  ChildRequest request = shell("sleep 1000 & echo $!; cat /dev/zero");
  request.limits.outputBytes = 1000;
  const ChildResult result = runChild(request);
  QCOMPARE(result.ending, ChildEnding::OutputTooLarge);
  const auto grandchild = static_cast<pid_t>(std::stol(result.output));
  // The grandchild is a zombie until its new parent has waited for it.
  const auto isGone = [&] {
    if (kill(grandchild, 0) != 0) return true;
    std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
    std::string id, name, state;
    status >> id >> name >> state;
    return state.empty() || state == "Z";
  };
  QTRY_VERIFY(isGone());
}

void tst_child_process::acceptsAChildThatReadsNothing() {
  const ChildResult result =
      runChild(shell("exec <&-; echo ok", std::string(5'000'000, 'x')));
  QCOMPARE(result.ending, ChildEnding::Exited);
  QCOMPARE(result.output, std::string("ok\n"));
}

EQUIPATCH_TEST(tst_child_process)
#include "tst_child_process.moc"
