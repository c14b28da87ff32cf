#include "core/record/sweep/sweep_table.h"

#include <QFile>
#include <QTemporaryDir>

#include "core/record/file/run_writer.h"
#include "core/record/sweep/sweep_folder.h"
#include "tests/core/record/small_sweep.h"
#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_sweep_merge : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }
  void shardsInTwoFoldersAreOneSweep();
  void otherPromptsAreAdded();
  void otherWeightsAreRefused();
  void writesCsv();

 private:
  fs::path folder(const char* name) const {
    return m_folder->filePath(name).toStdString();
  }
  /// A folder of the sweep with these of its cells finished.
  void fill(const char* name, const SweepPlan& plan,
            const std::vector<SweepCell>& cells) const {
    claimSweepFolder(folder(name), plan);
    for (const SweepCell& cell : cells) {
      const StoredRun run = test::runOf(plan, cell);
      RunWriter writer(folder(name) / cell.fileName(), *run.header);
      for (const auto& step : run.steps) writer.add(*step);
      writer.finish(RunEnding::Complete);
    }
  }
  std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_sweep_merge::shardsInTwoFoldersAreOneSweep() {
  const SweepPlan plan = test::smallSweep();
  const auto all = cellsOf(plan);
  fill("a", plan, cellsOf(plan, {1, 2}));
  fill("b", plan, {all[0], all[1], all[3]});  // the first is in both
  std::vector<std::int64_t> cells, planned;
  for (const SweepRow& row : mergeSweeps({folder("a"), folder("b")}).rows()) {
    cells.push_back(row.cells);
    planned.push_back(row.planned);
  }
  QCOMPARE(cells, (std::vector<std::int64_t>{2, 2, 1}));
  QCOMPARE(planned, (std::vector<std::int64_t>{2, 2, 2}));
}

void tst_sweep_merge::otherPromptsAreAdded() {
  const SweepPlan plan = test::smallSweep();
  SweepPlan other = plan;
  other.prompts = {{"one", "Another text of that name", false}};
  fill("a", plan, cellsOf(plan));
  fill("b", other, cellsOf(other));
  for (const SweepRow& row : mergeSweeps({folder("a"), folder("b")}).rows())
    QCOMPARE(row.cells, 3);
}

void tst_sweep_merge::otherWeightsAreRefused() {
  const SweepPlan plan = test::smallSweep();
  SweepPlan other = plan;
  other.origin.tensorFiles[0].headerSha256 = "cafe";
  fill("a", plan, {});
  fill("b", other, {});
  QVERIFY_ERROR(mergeSweeps({folder("a"), folder("b")}), "cannot be merged with",
                "model.safetensors has another header");
  QVERIFY_ERROR(mergeSweeps({folder("none")}), "not the folder of a sweep");
}

void tst_sweep_merge::writesCsv() {
  const SweepPlan plan = test::smallSweep();
  fill("a", plan, cellsOf(plan));
  writeSweepCsv(mergeSweeps({folder("a")}), folder("a") / "summary.csv");
  QFile file(m_folder->filePath("a/summary.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const auto lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 4);
  QVERIFY(lines[0].startsWith("dtype,method,loop,application,cells,"));
  QVERIFY2(lines[3].startsWith("bfloat16,balanced,open,factored,2,2,4,2,50,"), lines[3]);
}

EQUIPATCH_TEST(tst_sweep_merge)
#include "tst_sweep_merge.moc"
