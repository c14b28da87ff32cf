// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_table.h"

#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/strings.h"
#include "core/record/file/run_writer.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"
#include "tests/core/record/small_sweep.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace fs = std::filesystem;

class tst_sweep_table : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_folder = std::make_unique<QTemporaryDir>(); }

 private Q_SLOTS:
  void addsUpAllStepsOfAPoint();
  void matchPercentsCountOnlyStepsWithTheirPass();
  void absorbedPartsHaveRowsOfTheirOwn();
  void everyNamedPromptHasARowOfItsOwn();
  void aRowHasTheWorstVerdictOfItsRuns();
  void anInfiniteDistanceIsAMismatch();
  void aPointWithoutRunsHasARow();
  void manyRowsTakeLinearTime();
  void rowsHaveTheDocumentedColumns();
  void shardsInTwoFoldersAreOneSweep();
  void differentPromptsOfOneNameShareARow();
  void promptsAreToldApartByTheirPictures();
  void promptsOfEqualTextCountSeparately();
  void partsOfDifferentTextsHaveSeparateRows();
  void aPartHasOneRowUnderTwoNames();
  void partsOfTwoTextsUnderOneNameHaveTheirOwnRows();
  void aNameEndingInASeedIsNotShortened();
  void sweepsOfDifferentWeightsAreNotMerged();
  void writesCsv();

 private:
  fs::path folder(const char* name) const {
    return m_folder->filePath(name).toStdString();
  }
  /// Makes a folder of the sweep in which only `cells` are finished.
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

namespace {

const SweepPoint kPoint{DType::BF16, {Method::Direct, Loop::Open}};

/// A run with one step for each L∞. At a `floor` of 0 the steps have no noise floor.
StoredRun runWith(const std::vector<double>& linf, double floor) {
  StoredRun run{.header = std::make_shared<const RunHeader>(), .steps = {}, .damage = {}};
  for (const double distance : linf) {
    StepRecord step;
    step.patchedDistance = {distance, distance / 100.0, 0.0};
    step.bareDistance = LogitDistance{10.0 * distance, 1.0, 2.0 * distance};
    step.match = distance < 4.0;
    if (floor > 0.0) step.noise = LogitDistance{floor, 0.0, 0.0};
    run.steps.push_back(std::make_shared<const StepRecord>(step));
  }
  return run;
}

}  // namespace

void tst_sweep_table::addsUpAllStepsOfAPoint() {
  SweepTable table;
  table.plan(kPoint);
  table.plan(kPoint);
  table.plan(kPoint);
  table.add(kPoint, runWith({1.0, 2.0}, 0.0));
  table.add({DType::F32, {}}, runWith({99.0}, 0.0));
  table.add(kPoint, runWith({3.0, 5.0}, 0.0));
  const auto rows = table.rows();
  QCOMPARE(rows.size(), 2u);
  const SweepRow& row = rows[0];
  QVERIFY(row.point == kPoint);
  QCOMPARE(row.cells, 2);
  QCOMPARE(row.planned, 3);
  QCOMPARE(row.steps, 4);
  QCOMPARE(row.matches, 3);
  QCOMPARE(row.matchPercent(), 75.0);
  QCOMPARE(row.linfMedian, 2.5);
  QCOMPARE(row.linf95, 4.7);
  QCOMPARE(row.linfMax, 5.0);
  QCOMPARE(row.tvdMax, 0.05);
  QCOMPARE(row.bareLinfMedian, 25.0);
  QCOMPARE(row.bareKlMedian, 5.0);
  QCOMPARE(row.bareKlMax, 10.0);
}

void tst_sweep_table::matchPercentsCountOnlyStepsWithTheirPass() {
  const auto choice = [](std::int64_t id) { return Choices{{.id = TokenId(id)}}; };
  StoredRun run = runWith({}, 0.0);
  for (const std::int64_t bare : {7, 7, 8, 0}) {
    StepRecord step;
    step.contextual = choice(7);
    if (bare != 0) step.bare = choice(bare);
    if (bare == 8) step.ablated = choice(7);
    run.steps.push_back(std::make_shared<const StepRecord>(step));
  }
  SweepTable table;
  table.add(kPoint, run);
  const SweepRow row = table.rows().at(0);
  QCOMPARE(row.bareMatchPercent, std::optional(200.0 / 3.0));
  QCOMPARE(row.ablatedMatchPercent, std::optional(100.0));
  SweepTable without;
  without.add(kPoint, runWith({1.0}, 0.0));
  QVERIFY(!without.rows().at(0).bareMatchPercent);
  const ExportRow columns = exportRow(without.rows().at(0));
  QVERIFY(columns.cells.back() == SqlValue(nullptr));  // not 0
}

void tst_sweep_table::absorbedPartsHaveRowsOfTheirOwn() {
  SweepTable table;
  table.plan(kPoint, "words:the sky");
  table.plan(kPoint);
  table.add(kPoint, runWith({1.0, 2.0}, 0.0), "words:the sky");
  table.add(kPoint, runWith({3.0}, 0.0));
  QCOMPARE(table.rows().size(), std::size_t(2));
  QCOMPARE(table.rows()[0].absorb, std::string("words:the sky"));
  QCOMPARE(table.rows()[0].steps, std::int64_t(2));
  QCOMPARE(table.rows()[1].steps, std::int64_t(1));
}

void tst_sweep_table::everyNamedPromptHasARowOfItsOwn() {
  SweepTable table;
  table.plan(kPoint, "sentence:1", "coin-sentence1");
  table.plan(kPoint, "sentence:1", "lamp-sentence1");
  table.add(kPoint, runWith({1.0}, 0.5), "sentence:1", "coin-sentence1");
  table.add(kPoint, runWith({3.0}, 0.25), "sentence:1", "lamp-sentence1");
  const std::vector<SweepRow> rows = table.rows();
  QCOMPARE(rows.size(), std::size_t(2));
  QCOMPARE(rows[0].prompt, std::string("coin-sentence1"));
  QCOMPARE(rows[0].linfMax, 1.0);
  QCOMPARE(rows[0].noiseFloor, std::optional(0.5));
  QCOMPARE(rows[1].linfMax, 3.0);
}

void tst_sweep_table::aRowHasTheWorstVerdictOfItsRuns() {
  const auto worst = [](const std::vector<StoredRun>& runs) {
    SweepTable table;
    for (const StoredRun& run : runs) table.add(kPoint, run);
    return table.rows()[0].worst;
  };
  QVERIFY(worst({runWith({1.0}, 1.0)}) == VerdictKind::Exact);
  QVERIFY(worst({runWith({1.0, 2.0}, 1.0), runWith({1.0}, 1.0)}) ==
          VerdictKind::Rounding);
  QVERIFY(worst({runWith({1.0}, 1.0), runWith({11.0}, 1.0)}) == VerdictKind::MethodError);
  // With the second run's floor, the first run's L∞ = 1 would be exact.
  QVERIFY(worst({runWith({1.0}, 0.01), runWith({1.0}, 5.0)}) == VerdictKind::MethodError);
  QVERIFY(worst({runWith({1.0}, 0.0)}) == VerdictKind::Unmeasured);
  // Overflow is an error even in a sweep that measured no noise floor.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  QVERIFY(worst({runWith({1.0, kInfinity}, 0.0), runWith({1.0}, 0.0)}) ==
          VerdictKind::MethodError);
}

void tst_sweep_table::anInfiniteDistanceIsAMismatch() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& linf :
       {std::vector{1.0, 1.0, kInfinity}, std::vector{kInfinity, kInfinity}}) {
    SweepTable table;
    table.add(kPoint, runWith(linf, 2.0));
    const SweepRow row = table.rows().at(0);
    QCOMPARE(row.matches, std::count(linf.begin(), linf.end(), 1.0));
    QCOMPARE(row.linfMedian, linf.front());
    QCOMPARE(row.linfMax, kInfinity);
    QCOMPARE(row.worst, VerdictKind::MethodError);
    for (const SqlValue& cell : exportRow(row).cells)
      if (const double* number = std::get_if<double>(&cell))
        QVERIFY(!std::isnan(*number));
  }
}

void tst_sweep_table::aPointWithoutRunsHasARow() {
  SweepTable table;
  table.plan(kPoint);
  QCOMPARE(table.rows().size(), 1u);
  QCOMPARE(table.rows()[0].matchPercent(), 0.0);
  const ExportRow row = exportRow(table.rows()[0]);
  for (const char* name :
       {"match_percent", "linf_median", "worst_verdict", "bare_kl_max"}) {
    const auto at = std::ranges::find(row.names, name) - row.names.begin();
    QVERIFY2(row.cells[std::size_t(at)] == SqlValue(nullptr), name);  // not 0
  }
}

void tst_sweep_table::manyRowsTakeLinearTime() {
  // With a search for each row, this takes longer than ctest lets a test run.
  constexpr int kRows = 500'000;
  SweepTable table;
  for (int part = 0; part < kRows; ++part)
    table.plan(kPoint, "sentence:" + std::to_string(part + 1));
  QCOMPARE(table.rows().size(), std::size_t{kRows});
}

void tst_sweep_table::rowsHaveTheDocumentedColumns() {
  SweepTable table;
  table.add(kPoint, runWith({1.0}, 1.0));
  const ExportRow row = exportRow(table.rows()[0]);
  QCOMPARE(joined(row.names, " "),
           std::string("dtype method loop application cells cells_planned steps matches "
                       "match_percent linf_median linf_95 linf_max tvd_max "
                       "bare_linf_median worst_verdict strength absorb bare_kl_median "
                       "bare_kl_max ablated_kl_median ablated_kl_max noise_floor prompt "
                       "bare_match_percent ablated_match_percent"));
  QVERIFY(row.cells.front() == SqlValue("bfloat16"));
  QVERIFY(row.cells[15] == SqlValue(1.0));
  QVERIFY(row.cells[16] == SqlValue("all"));
  QVERIFY(row.cells[18] == SqlValue(2.0));
  QVERIFY(row.cells[20] == SqlValue(nullptr));  // no ablated pass
  QVERIFY(row.cells[21] == SqlValue(1.0));
  QVERIFY(row.cells[22] == SqlValue(""));  // the row is of all prompts
}

void tst_sweep_table::shardsInTwoFoldersAreOneSweep() {
  const SweepPlan plan = test::smallSweep();
  const auto all = cellsOf(plan);
  fill("a", plan, cellsOf(plan, {1, 2}));
  fill("b", plan, {all[0], all[1], all[3]});  // all[0] is in both folders
  std::vector<std::int64_t> cells, planned;
  for (const SweepRow& row : mergeSweeps({folder("a"), folder("b")}).rows()) {
    cells.push_back(row.cells);
    planned.push_back(row.planned);
  }
  QCOMPARE(cells, (std::vector<std::int64_t>{2, 2, 1}));
  QCOMPARE(planned, (std::vector<std::int64_t>{2, 2, 2}));
}

void tst_sweep_table::differentPromptsOfOneNameShareARow() {
  const SweepPlan plan = test::smallSweep();
  SweepPlan other = plan;
  other.prompts = {{"one", "Another text of that name", false}};
  fill("a", plan, cellsOf(plan));
  fill("b", other, cellsOf(other));
  const std::vector<SweepRow> rows = mergeSweeps({folder("a"), folder("b")}).rows();
  QCOMPARE(rows.size(), plan.points.size());
  for (const SweepRow& row : rows) QCOMPARE(row.cells, 3);
}

/// Folder b has the prompts of a under each other's names; c has a third picture.
void tst_sweep_table::promptsAreToldApartByTheirPictures() {
  SweepPlan plan = test::smallSweep();
  const SweepPrompt first = plan.prompts.front();
  plan.prompts = {first, first};
  for (std::size_t at = 0; at < plan.prompts.size(); ++at) {
    plan.prompts[at].name = "p" + std::to_string(at);
    plan.prompts[at].images = {{"picture.png", at < 1 ? "aa" : "bb"}};
  }
  fill("a", plan, {});
  std::swap(plan.prompts[0].images, plan.prompts[1].images);
  fill("b", plan, {});
  plan.prompts.pop_back();
  plan.prompts.front().images = {{"picture.png", "cc"}};
  fill("c", plan, {});
  for (const auto& [other, planned] : {std::pair{"b", 2}, {"c", 3}}) {
    const std::vector<SweepRow> rows = mergeSweeps({folder("a"), folder(other)}).rows();
    QCOMPARE(rows.size(), plan.points.size());
    for (const SweepRow& row : rows) QCOMPARE(row.planned, planned);
  }
}

/// A second folder with the same prompts adds no cells.
void tst_sweep_table::promptsOfEqualTextCountSeparately() {
  SweepPlan plan = test::smallSweep();
  plan.prompts = {plan.prompts.front(), plan.prompts.front()};
  plan.prompts[0].name = "a1";
  plan.prompts[1].name = "a2";
  fill("a", plan, cellsOf(plan));
  fill("b", plan, cellsOf(plan));
  for (const auto& folders : {std::vector{folder("a")}, {folder("a"), folder("b")}}) {
    const std::vector<SweepRow> rows = mergeSweeps(folders).rows();
    QCOMPARE(rows.size(), plan.points.size());
    for (const SweepRow& row : rows) {
      QCOMPARE(row.planned, 2);
      QCOMPARE(row.cells, 2);
      QCOMPARE(row.steps, 4);
    }
  }
}

/// A row contains one part of one text, with all seeds.
void tst_sweep_table::partsOfDifferentTextsHaveSeparateRows() {
  SweepPlan plan = test::smallSweep();
  SweepPrompt part = plan.prompts.front();
  plan.prompts.clear();
  for (const char* text : {"Once. Twice.", "Ida. Tom."})
    for (const char* absorb : {"sentence:1", "sentence:2"})
      for (const std::uint64_t seed : {3, 4}) {
        part.text = text;
        part.absorb = absorb;
        part.sampling = {.temperature = 1.0, .seed = seed};
        part.name =
            std::string{*text, part.absorb.back()} + "-seed" + std::to_string(seed);
        plan.prompts.push_back(part);
      }
  fill("a", plan, {});
  const std::vector<SweepRow> rows = mergeSweeps({folder("a")}).rows();
  QCOMPARE(rows.size(), 4 * plan.points.size());
  for (const SweepRow& row : rows) QCOMPARE(row.planned, 2);
  QCOMPARE(rows[2].prompt, std::string("I1"));
}

/// A row has the prompt's name in the first folder, even for cells of the second folder.
void tst_sweep_table::aPartHasOneRowUnderTwoNames() {
  SweepPlan plan = test::smallSweep();
  plan.points.resize(1);
  plan.prompts.resize(1);
  plan.prompts.push_back(plan.prompts.front());
  plan.prompts[1].absorb = "sentence:1";
  for (const char* name : {"a", "b"}) {
    plan.prompts[0].name = name + std::string("-whole");
    plan.prompts[1].name = name + std::string("-part");
    fill(name, plan,
         *name == 'b' ? std::vector{cellsOf(plan).front()} : std::vector<SweepCell>());
  }
  const std::vector<SweepRow> rows = mergeSweeps({folder("a"), folder("b")}).rows();
  QCOMPARE(rows.size(), std::size_t(2));
  QCOMPARE(rows[0].prompt, std::string("a-whole"));
  QCOMPARE(rows[0].planned, 1);
  QCOMPARE(rows[0].cells, 1);
  QCOMPARE(rows[1].prompt, std::string("a-part"));
  QCOMPARE(rows[1].planned, 1);
  QCOMPARE(rows[1].cells, 0);
}

void tst_sweep_table::partsOfTwoTextsUnderOneNameHaveTheirOwnRows() {
  SweepPlan plan = test::smallSweep();
  plan.points.resize(1);
  for (const char* text : {"Once. Twice.", "Ida. Tom."}) {
    plan.prompts = {{.name = "p-sentence1", .text = text, .absorb = "sentence:1"},
                    {.name = "p-sentence2", .text = text, .absorb = "sentence:2"}};
    fill(*text == 'O' ? "a" : "b", plan, {});
  }
  std::vector<std::string> names;
  for (const SweepRow& row : mergeSweeps({folder("a"), folder("b")}).rows()) {
    names.push_back(row.prompt);
    QCOMPARE(row.planned, 1);
  }
  QCOMPARE(names, (std::vector<std::string>{"p-sentence1", "p-sentence2",
                                            "p-sentence1 (2)", "p-sentence2 (2)"}));
}

void tst_sweep_table::aNameEndingInASeedIsNotShortened() {
  SweepPlan plan = test::smallSweep();
  plan.points.resize(1);
  plan.prompts = {{.name = "a-seed0", .text = "abc", .absorb = "sentence:1"},
                  {.name = "a", .text = "abc"}};
  fill("a", plan, {});
  QCOMPARE(mergeSweeps({folder("a")}).rows().at(0).prompt, std::string("a-seed0"));
}

void tst_sweep_table::sweepsOfDifferentWeightsAreNotMerged() {
  const SweepPlan plan = test::smallSweep();
  SweepPlan other = plan;
  other.origin.tensorFiles[0].headerSha256 = "cafe";
  fill("a", plan, {});
  fill("b", other, {});
  QVERIFY_ERROR(mergeSweeps({folder("a"), folder("b")}), "cannot be merged with",
                "model.safetensors has a different header");
  QVERIFY_ERROR(mergeSweeps({folder("none")}), "not the folder of a sweep");
}

void tst_sweep_table::writesCsv() {
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

EQUIPATCH_TEST(tst_sweep_table)
#include "tst_sweep_table.moc"
