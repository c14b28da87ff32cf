// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/file_claim.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <array>
#include <fstream>

#include "core/base/strings.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// A child process that tries to record two steps into a file and reports the result.
class OtherProgram {
 public:
  /// @param go a pipe; the child starts when the pipe's write end is closed
  OtherProgram(const std::filesystem::path& path, const std::array<int, 2>& go) {
    if (pipe(m_answers) != 0) return;
    m_process = fork();
    if (m_process != 0) {
      close(m_answers[1]);
      return;
    }
    close(go[1]);
    close(m_answers[0]);
    char none = 0;
    while (read(go[0], &none, 1) > 0) {
    }
    const std::string answer = record(path);
    if (write(m_answers[1], answer.data(), answer.size()) < 1) _exit(2);
    pause();  // until it is killed
    _exit(0);
  }
  ~OtherProgram() { end(); }
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;

  /// "records", the error that refused the recording, or "died".
  std::string answer() const {
    std::array<char, 1024> text{};
    const auto size = read(m_answers[0], text.data(), text.size());
    return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "died";
  }
  void end() {
    if (m_process <= 0) return;
    kill(m_process, SIGKILL);
    waitpid(m_process, nullptr, 0);
    close(m_answers[0]);
    m_process = 0;
  }

 private:
  std::string record(const std::filesystem::path& path) {
    try {
      test::RandomRuns random(5);
      const auto header = std::make_shared<const RunHeader>(random.header());
      m_recorder.emplace(path, ExistingFile::Replace, std::make_shared<test::NullSink>());
      m_recorder->runStarted(header);
      for (std::int64_t index = 0; index < 2; ++index)
        m_recorder->stepTaken(
            std::make_shared<const StepRecord>(random.step(*header, index)));
      return "records";
    } catch (const Error& error) {
      return error.what();
    }
  }

  int m_answers[2] = {-1, -1};
  pid_t m_process = 0;
  std::optional<RunRecorder> m_recorder;
};

}  // namespace

class tst_file_claim : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_folder = std::make_unique<QTemporaryDir>(); }

 private Q_SLOTS:
  void onlyOneOfSeveralProgramsRecords();
  void aKilledProgramLosesItsClaim();
  void removingAFileRemovesItsJournal();
  void lossOfTheFileIsReported();
  void aNewFileIsRemovedUnlessKept();
  void anExistingFileIsClaimedAndStays();

 private:
  std::filesystem::path path() const {
    return m_folder->filePath("run.eqrun").toStdString();
  }
  std::unique_ptr<QTemporaryDir> m_folder;
};

/// Four programs that may replace the file start at the same instant. In odd rounds, the
/// file of the previous round still exists.
void tst_file_claim::onlyOneOfSeveralProgramsRecords() {
  for (int round = 0; round < 100; ++round) {
    if (round % 2 == 0) std::filesystem::remove(path());
    std::array<int, 2> go{};
    QCOMPARE(pipe(go.data()), 0);
    std::vector<std::unique_ptr<OtherProgram>> programs;
    for (int number = 0; number < 4; ++number)
      programs.push_back(std::make_unique<OtherProgram>(path(), go));
    close(go[1]);
    std::vector<std::string> answers;
    for (const auto& program : programs) answers.push_back(program->answer());
    close(go[0]);
    QVERIFY2(std::ranges::count(answers, "records") == 1 &&
                 std::ranges::count(answers, "died") == 0,
             joined(answers, "\n").c_str());
    QCOMPARE(readRun(path()).steps.size(), std::size_t(2));
  }
}

void tst_file_claim::aKilledProgramLosesItsClaim() {
  std::array<int, 2> go{};
  QCOMPARE(pipe(go.data()), 0);
  OtherProgram other(path(), go);
  close(go[1]);
  QCOMPARE(other.answer(), std::string("records"));
  close(go[0]);
  QVERIFY(FileClaim::isHeld(path()));
  const auto sink = std::make_shared<test::NullSink>();
  for (const ExistingFile existing : {ExistingFile::Refuse, ExistingFile::Replace})
    QVERIFY_ERROR(RunRecorder(path(), existing, sink), "run.eqrun exists already",
                  "another program is recording into it", "choose another name");
  QVERIFY_ERROR(FileClaim::removeUnheld(path()), "run.eqrun", "another program");
  QCOMPARE(readRun(path()).steps.size(), std::size_t(2));  // reading needs no claim
  other.end();
  QVERIFY(!FileClaim::isHeld(path()));
  test::RandomRuns random(6);
  RunRecorder(path(), ExistingFile::Replace, sink)
      .runStarted(std::make_shared<const RunHeader>(random.header()));
  QCOMPARE(readRun(path()).steps.size(), std::size_t(0));
}

void tst_file_claim::removingAFileRemovesItsJournal() {
  const std::string journal = path().string() + "-journal";
  FileClaim::create(path()).keep();
  std::ofstream(journal) << "rest of a killed program";
  FileClaim::removeUnheld(path());
  QVERIFY(!std::filesystem::exists(path()));
  QVERIFY(!std::filesystem::exists(journal));
}

void tst_file_claim::lossOfTheFileIsReported() {
  FileClaim claim = FileClaim::create(path());
  claim.keep();
  QVERIFY_ERROR(FileClaim::create(path()), "run.eqrun exists already");
  QCOMPARE(claim.loss(0), std::string());
  QCOMPARE(claim.loss(1), std::string("was truncated"));
  std::filesystem::rename(path(), path().string() + "2");
  QCOMPARE(claim.loss(0), std::string("was removed"));
  std::ofstream(path()).flush();
  QCOMPARE(claim.loss(0), std::string("was replaced by another file"));
}

void tst_file_claim::aNewFileIsRemovedUnlessKept() {
  for (const bool isKept : {false, true}) {
    {
      FileClaim claim = FileClaim::create(path());
      std::ofstream(path().string() + "-journal") << "started";
      if (isKept) claim.keep();
    }
    QCOMPARE(std::filesystem::exists(path()), isKept);
    QCOMPARE(std::filesystem::exists(path().string() + "-journal"), isKept);
  }
  std::filesystem::rename(path(), path().string() + "2");
  {
    const FileClaim claim = FileClaim::create(path());
    std::filesystem::rename(path().string() + "2", path());
  }
  QVERIFY2(std::filesystem::exists(path()), "another program's file was removed");
}

void tst_file_claim::anExistingFileIsClaimedAndStays() {
  QVERIFY_ERROR(FileClaim::take(path()), "there is no such run file");
  const std::filesystem::path loop = m_folder->filePath("loop.eqrun").toStdString();
  std::filesystem::create_symlink(loop, loop);
  QVERIFY_ERROR(FileClaim::take(loop), "loop.eqrun: the file cannot be opened");
  {
    auto created = FileClaim::create(path());
    QVERIFY_ERROR(FileClaim::take(path()), "another program");
    created.keep();
  }
  {
    const FileClaim claim = FileClaim::take(path());
    QVERIFY(FileClaim::isHeld(path()));
    QCOMPARE(claim.loss(0), std::string());
  }
  QVERIFY(!FileClaim::isHeld(path()));
  QVERIFY(std::filesystem::exists(path()));
}

EQUIPATCH_TEST(tst_file_claim)
#include "tst_file_claim.moc"
