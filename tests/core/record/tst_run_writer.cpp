// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_writer.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include "core/record/file/run_file.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/full_disk.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct ReceivedRun final : RunSink {
  void runStarted(std::shared_ptr<const RunHeader> given) override { header = given; }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    steps.push_back(record);
  }
  std::shared_ptr<const RunHeader> header;
  std::vector<std::shared_ptr<const StepRecord>> steps;
};

struct Pipe final : RunSink {
  explicit Pipe(int end) : m_end(end) {}
  void runStarted(std::shared_ptr<const RunHeader>) override { report(); }
  void stepTaken(std::shared_ptr<const StepRecord>) override { report(); }

 private:
  void report() const {
    if (write(m_end, "x", 1) != 1) _exit(2);
  }
  int m_end;
};

std::shared_ptr<const RunHeader> someHeader() {
  test::RandomRuns random(7);
  RunHeader header = random.header();
  header.layers = 0;
  header.request.strength.layers.clear();
  header.parameters.clear();
  for (; header.layers < 6; ++header.layers)
    header.parameters.push_back(
        {.name = layerWeight(header.layers, "W_gate"), .shape = {3, 4}});
  header.width = 1000;
  return std::make_shared<const RunHeader>(header);
}

/// Returns equal steps for equal arguments.
std::shared_ptr<const StepRecord> someStep(const RunHeader& header, std::int64_t index) {
  test::RandomRuns random(std::uint64_t(1000 + index));
  StepRecord step;
  step.step = StepIndex(index);
  step.tokenText = random.text();
  step.sampledMatch = sampledMatchOf(step, header.request);
  for (std::int64_t layer = 0; layer < header.layers; ++layer) {
    LayerRecord& record = step.layers.emplace_back();
    record.scaleDelta.assign(std::size_t(header.width), float(index + layer));
  }
  return std::make_shared<const StepRecord>(step);
}

[[noreturn]] void recordForever(const std::filesystem::path& path, int pipe) {
  const auto header = someHeader();
  RunRecorder recorder(path, ExistingFile::Refuse, std::make_shared<Pipe>(pipe));
  recorder.runStarted(header);
  for (std::int64_t step = 0;; ++step) recorder.stepTaken(someStep(*header, step));
}

/// Records in a child process. Kills the child after it has reported `steps` steps and
/// then worked on the next step for `share` of a step's mean time.
/// @returns how many steps the child reported, −1 if it did not start
std::int64_t killedRecording(const std::filesystem::path& path, std::int64_t steps,
                             double share) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) recordForever(path, ends[1]);
  if (child < 0) return -1;  // kill(-1, …) would kill all processes of the user
  close(ends[1]);
  std::int64_t reported = 0;
  char one = 0;
  QElapsedTimer sinceStart;
  while (reported <= steps && read(ends[0], &one, 1) == 1)
    if (reported++ == 0) sinceStart.start();
  const double microseconds = double(sinceStart.nsecsElapsed()) / 1000.0;
  usleep(unsigned(share * microseconds / double(std::max(steps, std::int64_t(1)))));
  kill(child, SIGKILL);
  while (read(ends[0], &one, 1) == 1) ++reported;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return reported - 1;
}

}  // namespace

class tst_run_writer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theFileIsAnOrdinaryDatabase();
  void anExistingFileIsNotOverwritten();
  void aStepIsWrittenWholeOrNotAtAll();
  void cleanup() { m_folder = std::make_unique<QTemporaryDir>(); }
  void stepsAreRecordedAndForwardedToTheSink();
  void aKilledRecordingHasEveryStep();
  void recordingIntoAnExistingFileIsRefused();
  void replacingIsAdvisedForRunFilesOnly();
  void onlyRunFilesAreReplacedOnRequest();
  void foldersThatAreNotThereAreNamed();
  void onAFullDiskCompletedStepsStayReadable();
  void stepsAreAddedToAnEndedFile();
  void stoppingAContinuationWithoutAStepChangesNothing();
  void onlyUndamagedRunFilesGetMoreSteps();

 private:
  std::filesystem::path path(const char* name = "run.eqrun") const {
    return m_folder->filePath(name).toStdString();
  }
  std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void tst_run_writer::theFileIsAnOrdinaryDatabase() {
  const std::filesystem::path path = this->path();
  test::RandomRuns random(1);
  RunHeader header = random.header();
  header.request.promptText = "Once";
  header.request.prompt = {{.id = TokenId(17), .piece = "Once", .span = {0, 4}}};
  RunWriter writer(path, header);
  writer.add(random.step(header, 0));
  writer.finish(RunEnding::Complete);
  QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"run.eqrun"});
  QCOMPARE(test::cell(path, "PRAGMA integrity_check"), QString("ok"));
  QCOMPARE(test::cell(path, "SELECT value FROM manifest WHERE key = 'prompt_text'"),
           QString("Once"));
  QCOMPARE(test::cell(path, "SELECT id FROM prompt WHERE position = 0"), QString("17"));
  QCOMPARE(test::cell(path, "SELECT count(*) FROM steps"), QString("1"));
  QFile file(m_folder->filePath("run.eqrun"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  // The application_id, by which file(1) recognises run files.
  QCOMPARE(file.read(72).last(4), QByteArray("EqPa"));
  QCOMPARE(test::cell(path, "PRAGMA journal_mode"), QString("delete"));
}

void tst_run_writer::anExistingFileIsNotOverwritten() {
  const auto mine = path("mine.db");
  test::tamper(mine, "CREATE TABLE mine(x); INSERT INTO mine VALUES (1)");
  test::RandomRuns random(2);
  QVERIFY_ERROR(RunWriter(mine, random.header()), "mine.db", "exists already");
  QCOMPARE(test::cell(mine, "SELECT count(*) FROM mine"), QString("1"));
}

/// The test inserts a row with a key of step 1, so SQLite fails after it has written a
/// part of this step.
void tst_run_writer::aStepIsWrittenWholeOrNotAtAll() {
  test::RandomRuns random(3);
  RunHeader header = random.header();
  RunWriter writer(path(), header);
  test::tamper(path(),
               "INSERT INTO choices VALUES (1, 'patched', 0, 1, '', 1.0, 1.0, '')");
  writer.add(random.step(header, 0));
  StepRecord step = random.step(header, 1);
  step.patched = {{TokenId(3), "x", 1.0, 1.0}};
  QVERIFY_ERROR(writer.add(step), "run.eqrun", "cannot be recorded", "another file");
  QCOMPARE(RunFile(path()).stepCount(), 1);
  step.patched.clear();
  writer.add(step);
  QCOMPARE(RunFile(path()).stepCount(), 2);
}

void tst_run_writer::stepsAreRecordedAndForwardedToTheSink() {
  const auto header = someHeader();
  const auto received = std::make_shared<ReceivedRun>();
  RunRecorder recorder(path(), ExistingFile::Refuse, received);
  recorder.finish(RunEnding::Stopped);
  QVERIFY(!std::filesystem::exists(path()));  // the run never started
  recorder.runStarted(header);
  QCOMPARE(received->header, header);
  for (std::int64_t step = 0; step < 3; ++step) {
    recorder.stepTaken(someStep(*header, step));
    QCOMPARE(std::int64_t(received->steps.size()), step + 1);
    QCOMPARE(RunFile(path()).stepCount(), step + 1);
  }
  recorder.finish(RunEnding::Complete);
  const StoredRun run = readRun(path());
  QVERIFY(*run.header == *header);
  QCOMPARE(run.ending, RunEnding::Complete);
  for (std::size_t step = 0; step < 3; ++step)
    QVERIFY(*run.steps[step] == *received->steps[step]);
}

void tst_run_writer::aKilledRecordingHasEveryStep() {
  const auto header = someHeader();
  test::RandomRuns random(11);
  std::int64_t journals = 0, most = 0;
  for (int round = 0; round < 50; ++round) {
    const auto file = path(qPrintable(QString::number(round)));
    const std::int64_t steps = random.count(12);
    // On a slow disk, most kills within a step leave a journal; at share 0 few do.
    const double share = random.flag() ? 0.0 : double(random.count(1'500)) / 1000.0;
    const std::int64_t reported = killedRecording(file, steps, share);
    QVERIFY(reported >= steps);
    journals += std::filesystem::exists(file.string() + "-journal") ? 1 : 0;
    most = std::max(most, reported);
    const StoredRun run = readRun(file);
    QCOMPARE(run.damage, std::string());
    QCOMPARE(run.ending, RunEnding::Interrupted);
    QVERIFY(*run.header == *header);
    // The child may have been killed after it wrote a step and before it reported it.
    QVERIFY(std::int64_t(run.steps.size()) >= reported);
    QVERIFY(std::int64_t(run.steps.size()) <= reported + 1);
    for (const auto& step : run.steps)
      QVERIFY(*step == *someStep(*header, step->step.value));
  }
  QVERIFY(most > 5);
  // Some kills leave a journal, others do not.
  QVERIFY(journals > 0 && journals < 50);
}

void tst_run_writer::recordingIntoAnExistingFileIsRefused() {
  const auto header = someHeader();
  const auto received = std::make_shared<ReceivedRun>();
  {
    RunRecorder first(path(), ExistingFile::Refuse, received);
    first.runStarted(header);
    first.stepTaken(someStep(*header, 0));
  }
  QVERIFY_ERROR(RunRecorder(path(), ExistingFile::Refuse, received), "run.eqrun",
                "exists already");
  // The file appears after the recorder was made.
  RunRecorder late(path("late"), ExistingFile::Refuse, received);
  QFile file(m_folder->filePath("late"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QVERIFY_ERROR(late.runStarted(header), "late", "exists already");
}

void tst_run_writer::replacingIsAdvisedForRunFilesOnly() {
  const auto received = std::make_shared<ReceivedRun>();
  RunRecorder(path(), ExistingFile::Refuse, received).runStarted(someHeader());
  QVERIFY_ERROR(RunRecorder(path(), ExistingFile::Refuse, received), "--force");
  QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
  QFile letter(m_folder->filePath("letter.txt"));
  QVERIFY(letter.open(QIODevice::WriteOnly) && letter.write("Dear reader") > 0);
  letter.close();
  for (const auto& other : {path("pipe"), path("letter.txt"), path(".")}) {
    const QString sentence =
        test::errorOf([&] { RunRecorder(other, ExistingFile::Refuse, received); });
    QVERIFY2(sentence.contains("is not a run file") && !sentence.contains("--force"),
             qPrintable(sentence));
  }
  QVERIFY_ERROR(RunRecorder("", ExistingFile::Refuse, received), "name", "is empty");
}

void tst_run_writer::onlyRunFilesAreReplacedOnRequest() {
  const auto header = someHeader();
  const auto received = std::make_shared<ReceivedRun>();
  {
    RunRecorder first(path(), ExistingFile::Refuse, received);
    first.runStarted(header);
    first.stepTaken(someStep(*header, 0));
  }
  {
    RunRecorder second(path(), ExistingFile::Replace, received);
    QCOMPARE(RunFile(path()).stepCount(), 1);  // still the old file
    second.runStarted(header);
  }
  QCOMPARE(RunFile(path()).stepCount(), 0);
  // A kill during the creation of the file may leave a partial or empty file.
  for (const qint64 size : {2000, 0}) {
    QVERIFY(QFile::resize(m_folder->filePath("run.eqrun"), size));
    RunRecorder(path(), ExistingFile::Replace, received).runStarted(header);
    QCOMPARE(RunFile(path()).stepCount(), 0);
  }
  QFile letter(m_folder->filePath("letter.txt"));
  QVERIFY(letter.open(QIODevice::WriteOnly));
  letter.write("Dear reader");
  letter.close();
  QVERIFY_ERROR(RunRecorder(path("letter.txt"), ExistingFile::Replace, received),
                "letter.txt", "not a run file");
  test::tamper(path("other.db"), "CREATE TABLE t(x)");
  QVERIFY_ERROR(RunRecorder(path("other.db"), ExistingFile::Replace, received),
                "not a run file");
}

void tst_run_writer::foldersThatAreNotThereAreNamed() {
  const auto received = std::make_shared<ReceivedRun>();
  for (const auto existing : {ExistingFile::Refuse, ExistingFile::Replace})
    QVERIFY_ERROR(RunRecorder(path("no/such/folder.eqrun"), existing, received),
                  "folder.eqrun: there is no folder", "no/such; make it");
}

void tst_run_writer::onAFullDiskCompletedStepsStayReadable() {
  const pid_t child = fork();
  if (child == 0) {
    const test::FullDisk disk(200'000);
    const auto header = someHeader();
    const auto received = std::make_shared<ReceivedRun>();
    RunRecorder recorder(path(), ExistingFile::Refuse, received);
    recorder.runStarted(header);
    try {
      for (std::int64_t step = 0; step < 100; ++step)
        recorder.stepTaken(someStep(*header, step));
    } catch (const Error& error) {
      recorder.finish(RunEnding::Stopped);
      const bool reported =
          error.kind() == ErrorKind::Resource &&
          std::string(error.what()).find("200 kB, see ulimit -f") != std::string::npos;
      _exit(reported ? int(received->steps.size()) : 100);
    }
    _exit(101);
  }
  int status = 0;
  waitpid(child, &status, 0);
  QVERIFY(WIFEXITED(status));
  const int reported = WEXITSTATUS(status);
  QVERIFY2(reported > 0 && reported < 100, qPrintable(QString::number(reported)));
  const StoredRun run = readRun(path());
  QCOMPARE(run.damage, std::string());
  QCOMPARE(std::int64_t(run.steps.size()), reported);
  QCOMPARE(run.ending, RunEnding::Interrupted);
}

void tst_run_writer::stepsAreAddedToAnEndedFile() {
  const auto header = someHeader();
  {
    RunWriter writer(path(), *header);
    writer.add(*someStep(*header, 0));
    writer.finish(RunEnding::Stopped);
  }
  auto more = std::make_shared<RunHeader>(*header);
  more->continuations = {{.firstStep = 1, .program = "x", .threads = 3}};
  const auto received = std::make_shared<ReceivedRun>();
  RunRecorder recorder(path(), ExistingFile::Continue, received);
  recorder.runStarted(more);
  recorder.stepTaken(someStep(*header, 0));  // is in the file already
  QCOMPARE(RunFile(path()).ending(), RunEnding::Stopped);
  QVERIFY(RunFile(path()).header()->continuations.empty());
  recorder.stepTaken(someStep(*header, 1));
  QCOMPARE(RunFile(path()).ending(), RunEnding::Interrupted);
  recorder.stepTaken(someStep(*header, 2));
  recorder.finish(RunEnding::Complete);
  QCOMPARE(received->steps.size(), 3u);
  const StoredRun run = readRun(path());
  QCOMPARE(run.ending, RunEnding::Complete);
  QVERIFY(*run.header == *more);
  QCOMPARE(run.steps.size(), 3u);
  for (const auto& step : run.steps)
    QVERIFY(*step == *someStep(*header, step->step.value));
}

void tst_run_writer::stoppingAContinuationWithoutAStepChangesNothing() {
  const auto header = someHeader();
  { RunWriter(path(), *header).add(*someStep(*header, 0)); }
  {
    RunWriter writer = RunWriter::toContinue(path(), {.firstStep = 1});
    QCOMPARE(writer.steps(), std::int64_t(1));
    writer.finish(RunEnding::Stopped);
  }
  QCOMPARE(RunFile(path()).ending(), RunEnding::Interrupted);
  QVERIFY(*RunFile(path()).header() == *header);
  // A kill between the last step and the ending leaves such a file.
  RunWriter::toContinue(path(), {}).finish(RunEnding::Complete);
  QCOMPARE(RunFile(path()).ending(), RunEnding::Complete);
}

void tst_run_writer::onlyUndamagedRunFilesGetMoreSteps() {
  RunWriter(path(), *someHeader());
  QVERIFY_ERROR(RunWriter::toContinue(path("no"), {}), "there is no such run file");
  {
    const RunWriter first = RunWriter::toContinue(path(), {});
    QVERIFY_ERROR(RunWriter::toContinue(path(), {}), "another program is recording");
  }
  for (const char* table : {"steps", "continuations", "manifest"}) {
    RunWriter(path(table), *someHeader());
    test::tamper(path(table), QString("ALTER TABLE %1 ADD COLUMN later").arg(table));
    QVERIFY_ERROR(RunWriter::toContinue(path(table), {}), "another version of Equipatch",
                  "continue the run in another file (compare --out ");
  }
  RunWriter(path("half"), *someHeader());
  QFile half(m_folder->filePath("half"));
  QVERIFY(half.resize(half.size() / 2));
  QVERIFY_ERROR(RunWriter::toContinue(path("half"), {}), "damaged");
  test::tamper(path("other"), "CREATE TABLE t(x)");
  QVERIFY_ERROR(RunWriter::toContinue(path("other"), {}), "not a run file");
}

EQUIPATCH_TEST(tst_run_writer)
#include "tst_run_writer.moc"
