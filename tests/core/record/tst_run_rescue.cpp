// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_rescue.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <functional>

#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/changed_environment.h"
#include "tests/support/full_disk.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr std::int64_t kRecorded = 20;
const RunLabels kLabels{.name = "mine", .notes = "of Mars", .tags = {"a", "b"}};

/// Changes the file as another program might.
using Damage = std::function<void(const QString& path)>;

void cutInHalf(const QString& path) {
  QFile::resize(path, QFile(path).size() / 2);
}
void emptyFile(const QString& path) {
  QFile::resize(path, 0);
}
void removeFile(const QString& path) {
  QFile::remove(path);
}
void putAnotherFileInPlace(const QString& path) {
  QFile other(path + ".new");
  if (other.open(QIODevice::WriteOnly)) other.write(QByteArray(1 << 20, 'x'));
  other.close();
  std::filesystem::rename(other.fileName().toStdString(), path.toStdString());
}
void overwrite(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadWrite)) return;
  file.seek(file.size() / 2);
  file.write(QByteArray(file.size() - file.pos(), '\x55'));
}

}  // namespace

/// Another program removes, replaces or damages a run file during the recording.
class tst_run_rescue : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_folder = std::make_unique<QTemporaryDir>(); }

 private Q_SLOTS:
  void aLostFileIsReportedAndItsStepsAreSaved_data();
  void aLostFileIsReportedAndItsStepsAreSaved();
  void tmpdirIsUsedIfTheFolderIsGone();
  void eachRescueWritesANewFile();
  void aRescuedFileRecordsTheContinuation();
  void aRescueWithoutAStepLeavesNoFile();
  void aLostRescuedFileIsNotRescuedAgain();
  void aRescueStopsAtAChangedStep();

 private:
  QString path(const char* name = "run.eqrun") const {
    return m_folder->filePath("runs/") + name;
  }
  void startRecording();
  std::shared_ptr<const StepRecord> step(std::int64_t index) const {
    test::RandomRuns random(std::uint64_t(100 + index));
    return std::make_shared<const StepRecord>(random.step(*m_header, index));
  }
  /// Checks that the file holds exactly the first `count` recorded steps.
  void compareSteps(const QString& file, std::int64_t count) const;

  std::unique_ptr<QTemporaryDir> m_folder;
  std::shared_ptr<const RunHeader> m_header;
  std::unique_ptr<RunRecorder> m_recorder;
};

void tst_run_rescue::startRecording() {
  test::RandomRuns random(3);
  RunHeader header = random.header();
  header.width = 300;
  header.request.keepFactors = true;
  m_header = std::make_shared<const RunHeader>(header);
  QDir().mkpath(path(""));
  m_recorder = std::make_unique<RunRecorder>(path().toStdString(), ExistingFile::Refuse,
                                             std::make_shared<test::NullSink>(), kLabels);
  m_recorder->runStarted(m_header);
  for (std::int64_t index = 0; index < kRecorded; ++index)
    m_recorder->stepTaken(step(index));
}

void tst_run_rescue::compareSteps(const QString& path, std::int64_t count) const {
  const RunFile file(path.toStdString());
  QVERIFY(*file.header() == *m_header);
  QCOMPARE(file.stepCount(), count);
  for (std::int64_t index = 0; index < count; ++index) {
    const StepRecord expected = *step(index);
    StepRecord read = *file.step(StepIndex(index), FactorDetail::Include);
    QVERIFY(read.factors && *read.factors == *expected.factors);
    read.factors = expected.factors;  // == compares the addresses
    QVERIFY(read == expected);
  }
}

void tst_run_rescue::aLostFileIsReportedAndItsStepsAreSaved_data() {
  QTest::addColumn<Damage>("damage");
  QTest::addColumn<QString>("what");
  QTest::addColumn<bool>("atTheEnd");
  QTest::addColumn<int>("least");  // fewest saved steps; kRecorded means all
  for (const bool atTheEnd : {false, true}) {
    const auto row = [=](const char* name, Damage damage, const char* what, int least) {
      QTest::addRow("%s %s", name, atTheEnd ? "before the end" : "before a step")
          << damage << QString(what) << atTheEnd << least;
    };
    row("cut", cutInHalf, "was truncated", 0);
    row("emptied", emptyFile, "was truncated", 0);
    row("removed", removeFile, "was removed", int(kRecorded));
    row("replaced", putAnotherFileInPlace, "was replaced by another file",
        int(kRecorded));
    if (atTheEnd) row("overwritten", overwrite, "was damaged", 1);
  }
}

void tst_run_rescue::aLostFileIsReportedAndItsStepsAreSaved() {
  QFETCH(Damage, damage);
  QFETCH(QString, what);
  QFETCH(bool, atTheEnd);
  QFETCH(int, least);
  startRecording();
  damage(path());
  const auto content = [&] {
    QFile file(path());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray left = content();
  const QString sentence = test::errorOf([&] {
    if (atTheEnd)
      m_recorder->finish(RunEnding::Complete);
    else
      m_recorder->stepTaken(step(kRecorded));
  });
  const QString lost = path() + " " + what + " while the run was being recorded; ";
  QVERIFY2(sentence.startsWith(lost), qPrintable(sentence));
  const std::int64_t all = kRecorded + (atTheEnd ? 0 : 1);
  const QString saved = path("run-rescued.eqrun");
  // How much of a cut file can be read depends on where its interior pages are.
  if (least == 0 &&
      sentence.contains(QString("no step could be saved (0 of %1)").arg(all))) {
    QVERIFY(!QFile::exists(saved));
  } else {
    QVERIFY2(sentence.endsWith(QString(" of %1, in %2").arg(all).arg(saved)),
             qPrintable(sentence));
    const QString savedSteps = "steps saved: ";
    QVERIFY2(sentence.startsWith(lost + savedSteps), qPrintable(sentence));
    const std::int64_t count =
        sentence.mid(lost.size() + savedSteps.size()).section(' ', 0, 0).toLongLong();
    QVERIFY(count >= least && count <= all && (least < kRecorded || count == all));
    compareSteps(saved, count);
  }
  if (what == "was replaced by another file") QCOMPARE(content(), left);
  m_recorder->finish(RunEnding::Stopped);  // has no effect
}

void tst_run_rescue::tmpdirIsUsedIfTheFolderIsGone() {
  const test::ChangedEnvironment environment("TMPDIR", m_folder->path().toLocal8Bit());
  startRecording();
  QVERIFY(QDir(path("")).removeRecursively());
  const QString sentence = test::errorOf([&] { m_recorder->stepTaken(step(kRecorded)); });
  const QString saved = m_folder->filePath("run-rescued.eqrun");
  QVERIFY2(sentence.endsWith("steps saved: 21 of 21, in " + saved), qPrintable(sentence));
  compareSteps(saved, kRecorded + 1);
}

void tst_run_rescue::eachRescueWritesANewFile() {
  for (const char* name : {"run-rescued.eqrun", "run-rescued-2.eqrun"}) {
    startRecording();
    removeFile(path());
    const QString sentence =
        test::errorOf([&] { m_recorder->finish(RunEnding::Complete); });
    QVERIFY2(sentence.endsWith(path(name)), qPrintable(sentence));
    compareSteps(path(name), kRecorded);
    QVERIFY(labelsIn(path(name).toStdString()) == kLabels);
  }
}

void tst_run_rescue::aRescuedFileRecordsTheContinuation() {
  startRecording();
  m_recorder.reset();
  const Continuation continuation{.firstStep = kRecorded, .program = "9", .threads = 2};
  RunWriter writer = RunWriter::toContinue(path().toStdString(), continuation);
  removeFile(path());
  QVERIFY_ERROR(writer.add(*step(kRecorded)), "steps saved: 21 of 21");
  const RunFile file(path("run-rescued.eqrun").toStdString());
  QCOMPARE(file.stepCount(), kRecorded + 1);
  RunHeader expected = *m_header;
  expected.continuations.push_back(continuation);
  QVERIFY(*file.header() == expected);
}

/// The disk has room for a header, but not for a step.
void tst_run_rescue::aRescueWithoutAStepLeavesNoFile() {
  startRecording();
  RunWriter(path("header.eqrun").toStdString(), *m_header);
  const auto most = rlim_t(QFile(path("header.eqrun")).size());
  removeFile(path());
  const QString sentence = test::errorOf([&] {
    const test::FullDisk disk(most);
    m_recorder->stepTaken(step(kRecorded));
  });
  QVERIFY2(sentence.contains("no step could be saved (0 of 21)"), qPrintable(sentence));
  QVERIFY(!QFile::exists(path("run-rescued.eqrun")));
}

/// If rescued files were rescued, rescues would never end where every new file is lost.
void tst_run_rescue::aLostRescuedFileIsNotRescuedAgain() {
  startRecording();
  RunWriter writer(path("saved.eqrun").toStdString(), *m_header, LostFile::Report);
  writer.add(*step(0));
  removeFile(path("saved.eqrun"));
  QVERIFY_ERROR(writer.add(*step(1)), "saved.eqrun was removed", "write it again");
  QVERIFY(!QFile::exists(path("saved-rescued.eqrun")));
}

/// The recorder also keeps the digests in memory, so it detects the change although the
/// file's digests are gone.
void tst_run_rescue::aRescueStopsAtAChangedStep() {
  startRecording();
  test::tamper(path().toStdString(),
               "UPDATE steps SET margin = 0.125 WHERE step = 3; DROP TABLE digests");
  removeFile(path());
  QVERIFY_ERROR(m_recorder->finish(RunEnding::Complete), "steps saved: 3 of 20, in ");
  compareSteps(path("run-rescued.eqrun"), 3);
}

EQUIPATCH_TEST(tst_run_rescue)
#include "tst_run_rescue.moc"
