// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/write_failure.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <cerrno>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr rlim_t kLimit = 100'000;

/// Calls `write` in a child process that may not write files larger than `kLimit` bytes.
/// @returns what `write` returned, or "killed" if a signal ended the child
template <typename Write>
QString limited(Write write) {
  int said[2];
  if (pipe(said) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{kLimit, kLimit};
    setrlimit(RLIMIT_FSIZE, &limit);
    surviveFileSizeLimit();
    const std::string sentence = write();
    const bool told = ::write(said[1], sentence.data(), sentence.size()) > 0;
    _exit(told ? 0 : 1);
  }
  close(said[1]);
  char text[1000];
  const ssize_t size = read(said[0], text, sizeof text);
  close(said[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "killed";
  return QString::fromUtf8(text, size);
}

}  // namespace

class tst_write_failure : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theLimitOfTheProcessIsNamed();
  void aLimitThatWasNotReachedIsNotNamed();
  void theReasonIsNamedWithoutALimit();

 private:
  std::string path(const char* name) const {
    return m_folder.filePath(name).toStdString();
  }
  QTemporaryDir m_folder;
};

void tst_write_failure::theLimitOfTheProcessIsNamed() {
  const std::string expected =
      ": the file cannot be written (this process may not write files larger than 100 "
      "kB, "
      "see ulimit -f); raise the limit";
  const auto fill = [this] {
    std::ofstream file(path("full"), std::ios::binary);
    file << std::string(2 * kLimit, 'x') << std::flush;
    return errno;
  };
  QCOMPARE(limited([&] {
             const int code = fill();
             return std::string(
                 writeFailed("name", "the file cannot be written", "why", code).what());
           }),
           QString::fromStdString("name" + expected));
  // If a library does not report errno, the file's size shows that the limit was reached.
  QCOMPARE(limited([&] {
             fill();
             return std::string(
                 writeFailed("name", "the file cannot be written", "why", 0, path("full"))
                     .what());
           }),
           QString::fromStdString("name" + expected));
  QCOMPARE(limited([&] {
             if (!std::freopen(path("out").c_str(), "w", stdout)) return std::string();
             const std::string text(2 * kLimit, 'x');
             for (ssize_t more = 1; more > 0;)
               more = ::write(STDOUT_FILENO, text.data(), text.size());
             return std::string(outputFailed("the output could not be written").what());
           }),
           QString("the output could not be written: this process may not write files "
                   "larger than 100 kB, see ulimit -f; raise the limit"));
}

void tst_write_failure::aLimitThatWasNotReachedIsNotNamed() {
  QCOMPARE(
      limited([&] {
        std::ofstream(path("small")) << "x";
        return std::string(writeFailed("name", "it failed", "", 0, path("small")).what());
      }),
      QString("name: it failed; free some space or choose another place"));
  QCOMPARE(limited([&] {
             if (!std::freopen(path("short").c_str(), "w", stdout)) return std::string();
             return std::string(outputFailed("it failed").what());
           }),
           QString("it failed; is the disk full?"));
}

void tst_write_failure::theReasonIsNamedWithoutALimit() {
  const Error error = writeFailed("name", "the file cannot be written", "why", ENOSPC);
  QCOMPARE(error.kind(), ErrorKind::Resource);
  QCOMPARE(QString(error.what()),
           "name: the file cannot be written (why); free some space or choose another "
           "place");
  QCOMPARE(QString(writeFailed("name", "it failed", "", 0).what()),
           "name: it failed; free some space or choose another place");
  QCOMPARE(QString(outputFailed("the output could not be written").what()),
           "the output could not be written; is the disk full?");
  // Without a limit, EFBIG means that the file is too large for its file system.
  QCOMPARE(QString(writeFailed("name", "it failed", "", EFBIG).what()),
           "name: it failed; free some space or choose another place");
}

EQUIPATCH_TEST(tst_write_failure)
#include "tst_write_failure.moc"
