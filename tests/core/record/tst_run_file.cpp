// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

using Steps = std::vector<std::shared_ptr<const StepRecord>>;

StepRecord withoutFactors(StepRecord record) {
  record.factors = nullptr;
  return record;
}

}  // namespace

class tst_run_file : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { m_folder = std::make_unique<QTemporaryDir>(); }
  void randomRunsAreReadBack_data();
  void randomRunsAreReadBack();
  void numbersAreReadBackBitForBit();
  void readsHowARunEnded();
  void stepsAreReadInAnyOrder();
  void readsWhileTheRunIsBeingWritten();
  void pathsWithoutARunAreNamed();
  void readingStopsOnRequest();
  void readingEndsAtADamagedStep();
  void aTruncatedFileIsReadUpToTheCut();
  void randomDamageIsRefusedOrRead_data();
  void randomDamageIsRefusedOrRead();

 private:
  std::filesystem::path path(const char* name = "run.eqrun") const {
    return m_folder->filePath(name).toStdString();
  }
  std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void tst_run_file::randomRunsAreReadBack_data() {
  QTest::addColumn<quint64>("seed");
  for (quint64 seed = 0; seed < 60; ++seed)
    QTest::addRow("%llu", static_cast<unsigned long long>(seed)) << seed;
}

void tst_run_file::randomRunsAreReadBack() {
  QFETCH(quint64, seed);
  test::RandomRuns random(seed);
  RunHeader header = random.header();
  header.request.branch = {.file = random.text(),
                           .tokens = random.count(std::ssize(header.request.prompt) - 1)};
  std::vector<StepRecord> steps;
  for (std::int64_t step = random.count(3); step >= 0; --step)
    steps.push_back(random.step(header, std::int64_t(steps.size())));
  {
    RunWriter writer(path(), header);
    for (const StepRecord& step : steps) writer.add(step);
  }
  const RunFile file(path());
  QVERIFY(*file.header() == header);
  QCOMPARE(file.stepCount(), std::int64_t(steps.size()));
  for (const StepRecord& step : steps) {
    const auto record = file.step(step.step, FactorDetail::Include);
    QVERIFY(withoutFactors(*record) == withoutFactors(step));
    QCOMPARE(bool(record->factors), bool(step.factors));
    if (step.factors) QVERIFY(*record->factors == *step.factors);
  }
  const StoredRun run = readRun(path());
  QCOMPARE(run.damage, std::string());
  QCOMPARE(run.steps.size(), steps.size());
  for (std::size_t step = 0; step < steps.size(); ++step)
    QVERIFY(*run.steps[step] == withoutFactors(steps[step]));
}

void tst_run_file::numbersAreReadBackBitForBit() {
  test::RandomRuns random(1);
  const RunHeader header = random.header();
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values{0.0,
                                   -0.0,
                                   1.0,
                                   -3.0,
                                   0.1,
                                   Limits::denorm_min(),
                                   Limits::max(),
                                   Limits::infinity(),
                                   -Limits::infinity(),
                                   Limits::quiet_NaN(),
                                   9007199254740993.0};
  {
    RunWriter writer(path(), header);
    for (std::size_t index = 0; index < values.size(); ++index) {
      StepRecord step = random.step(header, std::int64_t(index));
      step.margin = values[index];
      step.noise = LogitDistance{values[index], 0.0, 0.0};
      writer.add(step);
    }
  }
  const RunFile file(path());
  for (std::size_t index = 0; index < values.size(); ++index) {
    const auto step = file.step(StepIndex(std::int64_t(index)), FactorDetail::Omit);
    const auto bits = std::bit_cast<std::uint64_t>(values[index]);
    QCOMPARE(std::bit_cast<std::uint64_t>(step->margin), bits);
    QVERIFY(step->noise);
    QCOMPARE(std::bit_cast<std::uint64_t>(step->noise->linf), bits);
  }
}

void tst_run_file::readsHowARunEnded() {
  test::RandomRuns random(2);
  const RunHeader header = random.header();
  RunWriter open(path("open"), header);
  RunWriter complete(path("complete"), header);
  complete.finish(RunEnding::Complete);
  RunWriter stopped(path("stopped"), header);
  stopped.finish(RunEnding::Stopped);
  QCOMPARE(RunFile(path("open")).ending(), RunEnding::Interrupted);
  QCOMPARE(RunFile(path("complete")).ending(), RunEnding::Complete);
  QCOMPARE(readRun(path("stopped")).ending, RunEnding::Stopped);
}

void tst_run_file::stepsAreReadInAnyOrder() {
  test::RandomRuns random(3);
  RunHeader header = random.header();
  std::vector<StepRecord> steps;
  RunWriter writer(path(), header);
  for (std::int64_t index = 0; index < 5; ++index) {
    steps.push_back(random.step(header, index));
    writer.add(steps.back());
  }
  const RunFile file(path());
  for (const std::int64_t index : {4, 0, 2, 2, 4, 1, 3})
    for (int again = 0; again < 20; ++again)
      QVERIFY(withoutFactors(*file.step(StepIndex(index), FactorDetail::Omit)) ==
              withoutFactors(steps[std::size_t(index)]));
  QVERIFY_ERROR(file.step(StepIndex(5), FactorDetail::Omit), "step 5", "missing");
}

void tst_run_file::readsWhileTheRunIsBeingWritten() {
  test::RandomRuns random(4);
  const RunHeader header = random.header();
  RunWriter writer(path(), header);
  const RunFile file(path());
  for (std::int64_t index = 0; index < 3; ++index) {
    QCOMPARE(file.stepCount(), index);
    writer.add(random.step(header, index));
    QVERIFY(file.step(StepIndex(index), FactorDetail::Omit));
  }
}

void tst_run_file::pathsWithoutARunAreNamed() {
  QVERIFY_ERROR(RunFile(path("none.eqrun")), "none.eqrun");
  QVERIFY(QFile(m_folder->filePath("empty.eqrun")).open(QIODevice::WriteOnly));
  QVERIFY_ERROR(RunFile(path("empty.eqrun")), "empty.eqrun is empty");
  QVERIFY_ERROR(RunFile(m_folder->path().toStdString()),
                QString::fromStdString(m_folder->path().toStdString()));
}

/// A stop throws; it is not reported as damage of the file.
void tst_run_file::readingStopsOnRequest() {
  test::RandomRuns random(7);
  const RunHeader header = random.header();
  {
    RunWriter writer(path(), header);
    for (std::int64_t index = 0; index < 4; ++index)
      writer.add(random.step(header, index));
  }
  test::Patience whole;
  QCOMPARE(readRun(path(), whole).steps.size(), 4u);
  QVERIFY(std::ranges::find(whole.fractions, 0.75) != whole.fractions.end());
  test::Patience stopped(2);
  QVERIFY_THROWS_EXCEPTION(Error, readRun(path(), stopped));
}

void tst_run_file::readingEndsAtADamagedStep() {
  test::RandomRuns random(5);
  const RunHeader header = random.header();
  {
    RunWriter writer(path(), header);
    for (std::int64_t index = 0; index < 4; ++index)
      writer.add(random.step(header, index));
  }
  test::tamper(path(), "UPDATE steps SET margin = 'much' WHERE step = 2");
  const StoredRun run = readRun(path());
  QCOMPARE(run.steps.size(), 2u);
  QCOMPARE(run.damage, std::string("step 2: column \"margin\": expected a number, found "
                                   "\"much\""));
  // Steps after the damaged step can still be read one by one.
  QVERIFY_ERROR(RunFile(path()).step(StepIndex(2), FactorDetail::Omit), "much");
  QVERIFY(RunFile(path()).step(StepIndex(3), FactorDetail::Omit));
  test::tamper(path(), "UPDATE steps SET step = step - 9");
  QCOMPARE(RunFile(path()).stepCount(), 0);
}

void tst_run_file::aTruncatedFileIsReadUpToTheCut() {
  test::RandomRuns random(6);
  RunHeader header = random.header();
  header.layers = 0;
  header.width = 500;
  header.parameters.clear();
  header.request.strength.layers.clear();
  std::vector<StepRecord> steps;
  RunWriter writer(path(), header);
  for (std::int64_t index = 0; index < 200; ++index) {
    steps.push_back(random.step(header, index));
    writer.add(steps.back());
  }
  QFile file(m_folder->filePath("run.eqrun"));
  const qint64 whole = file.size();
  file.resize(whole * 3 / 4 / 4096 * 4096);
  const StoredRun run = readRun(path());
  const QString sizes = QString(" of its %1 bytes").arg(whole);
  QCOMPARE(QString::fromStdString(run.damage),
           QString("step %1: the file is cut short, it has %2")
                   .arg(run.steps.size())
                   .arg(file.size()) +
               sizes);
  QVERIFY2(run.steps.size() > 50 && run.steps.size() < 200,
           qPrintable(QString::number(run.steps.size())));
  for (std::size_t step = 0; step < run.steps.size(); ++step)
    QVERIFY(*run.steps[step] == withoutFactors(steps[step]));
  // The file ends within its third page, then within its first.
  for (const qint64 size : {2 * 4096 + 5, 1000}) {
    file.resize(size);
    QCOMPARE(test::errorOf([this] { RunFile cut(path()); }),
             m_folder->filePath("run.eqrun") +
                 QString(": damaged: the file is cut short, it has %1").arg(size) +
                 sizes + "; restore a copy of the file, or record the run again");
  }
}

void tst_run_file::randomDamageIsRefusedOrRead_data() {
  QTest::addColumn<quint64>("seed");
  for (quint64 seed = 100; seed < 110; ++seed)
    QTest::addRow("%llu", static_cast<unsigned long long>(seed)) << seed;
}

void tst_run_file::randomDamageIsRefusedOrRead() {
  QFETCH(quint64, seed);
  test::RandomRuns random(seed);
  RunHeader header = random.header();
  header.width = 300;  // some vectors need overflow pages
  {
    RunWriter writer(path(), header);
    for (std::int64_t index = 0; index < 6; ++index)
      writer.add(random.step(header, index));
  }
  QFile original(m_folder->filePath("run.eqrun"));
  QVERIFY(original.open(QIODevice::ReadOnly));
  const QByteArray bytes = original.readAll();
  for (int variant = 0; variant < 40; ++variant) {
    QByteArray changed = bytes;
    if (variant % 4 == 0) changed.truncate(random.count(bytes.size()));
    for (std::int64_t changes = random.count(20); changes > 0; --changes)
      if (!changed.isEmpty())
        changed[qsizetype(random.count(changed.size() - 1))] = char(random.count(255));
    QFile file(m_folder->filePath("changed.eqrun"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(changed);
    file.close();
    try {
      QVERIFY(readRun(path("changed.eqrun")).steps.size() <= 6u);
    } catch (const Error& error) {
      QVERIFY(std::string(error.what()).find("changed.eqrun") != std::string::npos);
    }
  }
}

EQUIPATCH_TEST(tst_run_file)
#include "tst_run_file.moc"
