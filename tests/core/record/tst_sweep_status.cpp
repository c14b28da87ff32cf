// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_status.h"

#include <QTemporaryDir>

#include "core/base/machine.h"
#include "core/record/file/run_writer.h"
#include "core/record/sweep/sweep_folder.h"
#include "tests/core/record/small_sweep.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace fs = std::filesystem;

class tst_sweep_status : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void countsFinishedRunningAndFailedCells();
  void cellTimeIgnoresLaterChangesOfTheFile();
  void timeLeftIsSharedByRunningPrograms();
  void foldersWithoutASweepAreRefused();
};

void tst_sweep_status::countsFinishedRunningAndFailedCells() {
  const QTemporaryDir place;
  const fs::path folder = place.path().toStdString();
  SweepPlan plan = test::smallSweep();
  plan.origin.startTime = utcNow();
  claimSweepFolder(folder, plan);
  const auto cells = cellsOf(plan);
  const auto write = [&](const SweepCell& cell, RunEnding ending) {
    const StoredRun run = test::runOf(plan, cell);
    RunWriter writer(folder / cell.fileName(), *run.header);
    for (const auto& step : run.steps) writer.add(*step);
    writer.finish(ending);
  };
  write(cells[0], RunEnding::Complete);
  write(cells[1], RunEnding::Stopped);
  auto running = CellClaim::take(folder, cells[2]);
  for (const std::size_t cell : {std::size_t{2}, std::size_t{3}, std::size_t{0}})
    if (auto claim = CellClaim::take(folder, cells[cell], {"far", 1, ""}))
      claim->noteFailure(badInput("too long"));
  auto dead = CellClaim::take(folder, cells[4], {Claimant::self().host, 1 << 30, ""});

  const SweepStatus status = readSweepStatus(folder);
  QCOMPARE(status.modelName, std::string("small"));
  QCOMPARE(status.cells, 6);
  QCOMPARE(status.finished, 1);
  QCOMPARE(status.running.size(), std::size_t(1));
  QCOMPARE(status.running[0].file, cells[2].fileName());
  QCOMPARE(status.running[0].claimant.process, std::int64_t(::getpid()));
  QCOMPARE(status.failed.size(), std::size_t(1));
  QCOMPARE(status.failed[0].file, cells[3].fileName());
  QCOMPARE(status.failed[0].error, std::string("too long"));
  QCOMPARE(status.waiting(), 3);
  QVERIFY(status.cellSeconds && *status.cellSeconds > 0.0);
  QVERIFY(*status.cellSeconds < 3600.0);
  QVERIFY(status.left());
}

/// Labelling a run changes its file.
void tst_sweep_status::cellTimeIgnoresLaterChangesOfTheFile() {
  const QTemporaryDir place;
  const fs::path folder = place.path().toStdString();
  const SweepPlan plan = test::smallSweep();
  claimSweepFolder(folder, plan);
  const SweepCell cell = cellsOf(plan).front();
  StoredRun run = test::runOf(plan, cell);
  auto header = *run.header;
  header.provenance.startTime = utcNow();
  RunWriter writer(folder / cell.fileName(), header);
  for (const auto& step : run.steps) writer.add(*step);
  writer.finish(RunEnding::Complete);
  fs::last_write_time(folder / cell.fileName(),
                      fs::file_time_type::clock::now() + std::chrono::hours(48));
  const auto seconds = readSweepStatus(folder).cellSeconds;
  QVERIFY(seconds && *seconds > 0.0 && *seconds < 3600.0);
}

void tst_sweep_status::timeLeftIsSharedByRunningPrograms() {
  SweepStatus status{
      .modelName = "m", .cells = 20, .finished = 9, .running = {}, .failed = {}};
  status.cellSeconds = 30.0;
  QVERIFY(!status.left());
  status.running.resize(2);
  status.failed.resize(1);
  QCOMPARE(status.waiting(), 8);
  QCOMPARE(status.left()->count(), (8 + 1) / 2.0 * 30.0);
  status.cellSeconds.reset();
  QVERIFY(!status.left());
}

void tst_sweep_status::foldersWithoutASweepAreRefused() {
  QVERIFY_ERROR(readSweepStatus("/nowhere"), "not the folder of a sweep");
}

EQUIPATCH_TEST(tst_sweep_status)
#include "tst_sweep_status.moc"
