// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_folder.h"

#include <sys/stat.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/record/file/run_writer.h"
#include "tests/core/record/small_sweep.h"
#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_sweep_folder : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }
  void claimingTwiceGoesOn();
  void anothersFolderIsRefused();
  void whatIsNoSweepIsRefused();
  void onlyWholeRunsAreFinished();

 private:
  fs::path folder() const { return m_folder->filePath("sweep").toStdString(); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

void write(const fs::path& path, const StoredRun& run, RunEnding ending) {
  fs::remove(path);
  RunWriter writer(path, *run.header);
  for (const auto& step : run.steps) writer.add(*step);
  writer.finish(ending);
}

}  // namespace

void tst_sweep_folder::claimingTwiceGoesOn() {
  const SweepPlan plan = test::smallSweep();
  claimSweepFolder(folder(), plan);
  SweepPlan moved = plan;
  moved.origin.startTime = "later";
  claimSweepFolder(folder(), moved);
  QVERIFY(readSweepPlan(folder()) == plan);
  // Nothing else is left behind.
  QCOMPARE(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()), 1);
}

void tst_sweep_folder::anothersFolderIsRefused() {
  const SweepPlan plan = test::smallSweep();
  claimSweepFolder(folder(), plan);
  SweepPlan other = plan;
  other.steps = 3;
  other.points.pop_back();
  other.prompts[0].text = "Never";
  QVERIFY_ERROR(claimSweepFolder(folder(), other), "holds another sweep",
                "steps are 3 instead of 2", "the prompts are others",
                "the grid is another one");
  QVERIFY(readSweepPlan(folder()) == plan);
}

void tst_sweep_folder::whatIsNoSweepIsRefused() {
  QVERIFY_ERROR(readSweepPlan(folder()), "not the folder of a sweep");
  fs::create_directories(folder());
  std::ofstream(folder() / "sweep.json") << "{\"format\": 1";
  QVERIFY_ERROR(claimSweepFolder(folder(), test::smallSweep()), "sweep.json",
                "not valid JSON");
  QVERIFY_ERROR(claimSweepFolder("/proc/sweep", test::smallSweep()), "/proc/sweep");
}

void tst_sweep_folder::onlyWholeRunsAreFinished() {
  const SweepPlan plan = test::smallSweep();
  const SweepCell cell = cellsOf(plan)[0];
  fs::create_directories(folder());
  const fs::path path = folder() / cell.fileName();
  const auto finished = [&] { return finishedRun(folder(), plan, cell).has_value(); };
  QVERIFY(!finished());
  write(path, test::runOf(plan, cell), RunEnding::Stopped);
  QVERIFY(!finished());
  write(path, test::runOf(plan, cellsOf(plan)[1]), RunEnding::Complete);
  QVERIFY(!finished());
  write(path, test::runOf(plan, cell), RunEnding::Complete);
  QCOMPARE(finishedRun(folder(), plan, cell)->steps.size(), 2u);
  // Cut short anywhere, it is computed again.
  const auto whole = fs::file_size(path);
  for (const auto size : {whole - 4096, whole / 2, std::uintmax_t(4096),
                          std::uintmax_t(100), std::uintmax_t(0)}) {
    fs::resize_file(path, size);
    QVERIFY2(!finished(), qPrintable(QString::number(size)));
  }
  // A pipe, which opening would wait for, is no run.
  fs::remove(path);
  QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
  QVERIFY(!finished());
}

EQUIPATCH_TEST(tst_sweep_folder)
#include "tst_sweep_folder.moc"
