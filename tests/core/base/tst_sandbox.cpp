// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sandbox.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <array>
#include <cerrno>

#include "core/base/child_process.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sandbox : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void reportNamesWhatTheSandboxForbids();
  void runsAProgram();
  void reportsAMissingProgram();
  void refusesEscapes_data();
  void refusesEscapes();
  void leavesFilesUnchanged();
  void restrictsFilesWithoutStandardStreams();

 private:
  QTemporaryDir m_folder;
};

namespace {

const char* kPython = "/usr/bin/python3";

ChildRequest python(const QString& script) {
  return {.program = kPython,
          .arguments = {"-I", "-B", "-c", script.toStdString()},
          .environment = {{"HOME", "/nonexistent"}},
          .readable =
              ChildRequest::Paths{"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache"}};
}

}  // namespace

void tst_sandbox::reportNamesWhatTheSandboxForbids() {
  using Report = SandboxReport;
  QCOMPARE((Report{.landlock = 4, .seccomp = true, .namespaces = true}.sentence()),
           std::string("no files, no network, no other processes (Landlock 4, seccomp, "
                       "namespaces)"));
  QCOMPARE((Report{.seccomp = true}.sentence()),
           std::string("no network, no other processes (seccomp); the system offers too "
                       "little to forbid files"));
  QCOMPARE((Report{.landlock = 2}.sentence()),
           std::string("nothing (Landlock 2); the system offers too little to forbid "
                       "files, the network, other processes"));
  QCOMPARE(Report{}.sentence(),
           std::string("none: the system offers no Landlock, seccomp or namespaces"));
}

void tst_sandbox::runsAProgram() {
  ChildRequest request{.program = "/bin/sh",
                       .arguments = {"-c", "read x; echo $x$1", "", "b"}};
  request.input = "a\n";
  request.readable = {"/usr", "/lib", "/lib64"};
  const ChildResult result = runChild(request);
  QCOMPARE(result.standardError, std::string());
  QCOMPARE(result.output, std::string("ab\n"));
}

void tst_sandbox::reportsAMissingProgram() {
  ChildRequest request{.program = "/nonexistent/program"};
  request.readable = {"/usr"};
  const ChildResult result = runChild(request);
  QCOMPARE(result.ending, ChildEnding::NotStarted);
  QCOMPARE(result.code, ENOENT);
}

void tst_sandbox::refusesEscapes_data() {
  const SandboxReport holds = Sandbox::ofThisMachine();
  QTest::addColumn<QString>("script");
  QTest::addColumn<bool>("claimed");
  const auto row = [](const char* name, bool claimed, const QString& script) {
    QTest::newRow(name) << script << claimed;
  };
  const QString parent = QString::number(getpid());
  row("reads /etc", holds.noFiles(), "open('/etc/passwd').read()");
  row("lists the root", holds.noFiles(), "import os; os.listdir('/')");
  row("lists processes", holds.noFiles(), "import os; os.listdir('/proc')");
  row("reads another process", holds.noFiles(),
      "open('/proc/" + parent + "/environ', 'rb').read()");
  row("makes a file", holds.noFiles(), "open('" + m_folder.filePath("file") + "', 'x')");
  row("makes a folder", holds.noFiles(),
      "import os; os.mkdir('" + m_folder.filePath("folder") + "')");
  row("connects", holds.noNetwork(),
      "import socket\n  try: socket.create_connection(('127.0.0.1', 1), 5)\n"
      "  except ConnectionRefusedError: pass");  // nothing listens at this port
  row("makes a socket", holds.seccomp, "import socket; socket.socketpair()");
  row("forks", holds.noProcesses(), "import os; os.fork()");
  row("executes a program", holds.noProcesses(),
      "import os; os.execv('/bin/true', ['x'])");
  row("runs a program", holds.noProcesses(),
      "import subprocess; subprocess.run(['/bin/true'])");
  row("executes a descriptor", holds.noProcesses(),
      "import os; os.execve(os.open('/bin/true', os.O_RDONLY), ['x'], {})");
  // If the path is absolute, execveat ignores its first argument, a descriptor.
  row("executes an absolute path with execveat", holds.noProcesses(),
      QString("import ctypes\n  a = (ctypes.c_char_p * 2)(b'x', None)\n"
              "  if ctypes.CDLL(None).syscall(%1, 128, b'/bin/true', a, a, 0) < 0:"
              " raise OSError")
          .arg(SYS_execveat));
  row("starts a thread", holds.noProcesses(),
      "import _thread; _thread.start_new_thread(print, ())");
  row("signals its parent", holds.noProcesses(), "import os; os.kill(" + parent + ", 0)");
  row("lets a file signal its parent", holds.noProcesses(),
      "import fcntl; fcntl.fcntl(0, fcntl.F_SETOWN, " + parent + ")");
  row("types into a terminal", holds.noProcesses(),
      "import fcntl, termios\n  try: fcntl.ioctl(0, termios.TIOCSTI, b'x')\n"
      "  except PermissionError: raise\n  except OSError: pass");
  row("uses a semaphore", holds.noProcesses(),
      QString(
          "import ctypes\n  c = ctypes.CDLL(None, use_errno=True)\n"
          "  if c.syscall(%1, -1, 0, 0) < 0 and ctypes.get_errno() == 1: raise OSError")
          .arg(SYS_semop));
  row("limits its parent", holds.noProcesses(),
      "import resource; resource.prlimit(" + parent + ", resource.RLIMIT_CORE)");
}

void tst_sandbox::refusesEscapes() {
  QFETCH(QString, script);
  QFETCH(bool, claimed);
  if (!claimed) QSKIP("the system does not offer what this needs");
  if (!QFile::exists(kPython)) QSKIP("no Python on this machine");
  const QString attempt = "try:\n  " + script +
                          "\nexcept (OSError, RuntimeError) as e:\n  print('refused')\n";
  ChildRequest request = python(attempt);
  QCOMPARE(runChild(request).output, std::string("refused\n"));
  // Outside the sandbox nothing refuses the same call.
  request.readable.reset();
  const ChildResult free = runChild(request);
  QVERIFY2(free.output != "refused\n", free.standardError.c_str());
}

void tst_sandbox::leavesFilesUnchanged() {
  const SandboxReport holds = Sandbox::ofThisMachine();
  if (!holds.noFiles()) QSKIP("the system cannot restrict access to files");
  // No version of Landlock refuses chmod and utime.
  if (!holds.seccomp) QSKIP("the system does not offer seccomp");
  if (!QFile::exists(kPython)) QSKIP("no Python on this machine");
  QTemporaryDir folder;
  const QString path = folder.filePath("kept");
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("text") == 4);
  file.close();
  const QString script =
      "import os\n"
      "p = '" +
      path +
      "'\n"
      "for act in (lambda: open(p, 'w'), lambda: open(p, 'a').write('x'),\n"
      "            lambda: os.truncate(p, 0), lambda: os.remove(p),\n"
      "            lambda: os.rename(p, p + '2'), lambda: os.chmod(p, 0),\n"
      "            lambda: os.link(p, p + '2'), lambda: os.symlink(p, p + '2'),\n"
      "            lambda: open(p).read(), lambda: os.utime(p, (0, 0))):\n"
      "  try: print(act())\n"
      "  except OSError: print('refused')\n";
  for (const bool readable : {false, true}) {
    ChildRequest request = python(script);
    if (readable) request.readable->push_back(folder.path().toStdString());
    const QString reading = readable ? "text" : "refused";
    QCOMPARE(QString::fromStdString(runChild(request).output),
             QString("refused\n").repeated(8) + reading + "\nrefused\n");
  }
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll(), QByteArray("text"));
}

/// New files may get the descriptors 0 and 1 if these are free, but the child's streams
/// need these numbers.
void tst_sandbox::restrictsFilesWithoutStandardStreams() {
  if (!Sandbox::ofThisMachine().noFiles())
    QSKIP("the system cannot restrict access to files");
  if (!QFile::exists(kPython)) QSKIP("no Python on this machine");
  const std::array<int, 2> kept{dup(0), dup(1)};
  close(0);
  close(1);
  const ChildResult result = runChild(python("open('/etc/passwd')"));
  for (int number = 0; number < 2; ++number) {
    dup2(kept[std::size_t(number)], number);
    close(kept[std::size_t(number)]);
  }
  QVERIFY2(result.standardError.find("PermissionError") != std::string::npos,
           result.standardError.c_str());
}

EQUIPATCH_TEST(tst_sandbox)
#include "tst_sandbox.moc"
