// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_job.h"

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>

#include "core/record/file/run_file.h"
#include "core/record/run_record.h"
#include "core/record/sweep/cell_claim.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/record/sweep/sweep_table.h"
#include "core/run/backend.h"
#include "core/run/run_origin.h"
#include "core/work/worker.h"
#include "tests/core/run/tiny_session.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {

struct Outcome final : test::IgnoringListener {
  void jobProgressed(Generation, double told, const std::string&) override {
    backwards = backwards || told < fraction;
    fraction = told;
  }
  void jobFinished(Generation) override { ending = "finished"; }
  void jobCancelled(Generation) override { ending = "cancelled"; }
  void jobFailed(Generation, const Error& error) override { ending = error.what(); }

  std::string ending;
  double fraction = 0.0;
  bool backwards = false;
};

struct Cells final : SweepSink {
  void cellsFound(std::size_t before, std::size_t) override {
    found = before;
    if (onFound) onFound();
  }
  void cellFinished(const SweepCell& cell, const CellResult& result) override {
    computed.push_back(cell.fileName());
    steps += result.steps;
    if (onFinished) onFinished();
  }
  void cellFinishedElsewhere(const SweepCell& cell) override {
    others.push_back(cell.fileName());
  }
  void cellFailed(const SweepCell&, const Error& error) override {
    failures.emplace_back(error.what());
  }

  void cellsElsewhere(std::size_t count) override { elsewhere = count; }

  std::size_t found = 0, elsewhere = 0;
  std::vector<std::string> computed, others, failures;
  std::int64_t steps = 0;
  std::function<void()> onFound, onFinished;
};

/// A tokenizer with the pieces a, b, c.
constexpr const char* kTokenizer = R"({"version": "1.0", "added_tokens": [],
  "normalizer": null, "pre_tokenizer": null, "post_processor": null,
  "decoder": {"type": "Fuse"},
  "model": {"type": "BPE", "dropout": null, "unk_token": null,
    "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
    "vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}})";

}  // namespace

class tst_sweep_job : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override;

 private Q_SLOTS:
  void computesEveryCellAndRecordsIt();
  void aStrengthScalesThePatch();
  void onlyUnfinishedCellsAreComputedAgain();
  void aStoppedSweepKeepsFinishedCells();
  void aFailedCellDoesNotStopOtherCells();
  void aDamagedWeightFailsItsCells();
  void cellsClaimedByOtherProgramsAreSkipped();
  void cellsFinishedByOtherProgramsAreReported();
  void whatDeadProgramsLeftIsRemoved();
  void parallelCellsEqualThoseComputedInTurn();
  void everyCellOfASmallModelHasOneThread();
  void aStopEndsCellsComputedAtTheSameTime();

 private:
  void plan(const test::TinyModel& model);
  fs::path folder() const { return m_folder->filePath("sweep").toStdString(); }
  std::string run(const std::shared_ptr<Cells>& cells) const;

  std::unique_ptr<QTemporaryDir> m_folder;
  fs::path m_model;
  SweepPlan m_plan;
};

void tst_sweep_job::prepare() {
  m_folder = std::make_unique<QTemporaryDir>();
  plan({.family = "gemma3_text", .layers = 2});
}

void tst_sweep_job::plan(const test::TinyModel& model) {
  m_model = test::writeTinyCheckpoint(m_folder->filePath("tiny").toStdString(), model);
  std::ofstream(m_model / "tokenizer.json") << kTokenizer;
  SilentProgress silent;
  m_plan = {
      .modelName = "tiny",
      .origin = provenanceOf(*Session::open({.folder = m_model}, silent)),
      .steps = 3,
      .measureNoise = true,
      .ignoreEndOfSequence = true,
      .prompts = {{"one", "abc", false}, {"two", "cabba", false}},
      .points = parseGrids({"dtype=float32,bfloat16,loop=closed,open"}, DType::F32)};
  fs::remove_all(folder());
  claimSweepFolder(folder(), m_plan);
}

std::string tst_sweep_job::run(const std::shared_ptr<Cells>& cells) const {
  Outcome outcome;
  InlineWorker worker(outcome);
  worker.run(makeSweepJob({m_plan, m_model, folder(), cellsOf(m_plan)}, cells));
  return outcome.backwards ? "went backwards" : outcome.ending;
}

void tst_sweep_job::computesEveryCellAndRecordsIt() {
  const auto cells = std::make_shared<Cells>();
  QCOMPARE(run(cells), std::string("finished"));
  QCOMPARE(cells->computed.size(), 8u);
  QCOMPARE(cells->steps, 24);
  for (const SweepCell& cell : cellsOf(m_plan)) {
    const auto stored = finishedRun(folder(), m_plan, cell);
    QVERIFY(stored);
    QCOMPARE(stored->header->request.prompt.size(), cell.prompt.text.size());
  }
  const std::vector<SweepRow> rows = mergeSweeps({folder()}).rows();
  QCOMPARE(rows.size(), m_plan.points.size());
  for (const SweepRow& row : rows) {
    QCOMPARE(row.cells, 2);
    QCOMPARE(row.steps, 6);
    QVERIFY(row.worst < VerdictKind::PartOfPatch);
  }
}

/// At strength 0 the patched pass is the bare pass.
void tst_sweep_job::aStrengthScalesThePatch() {
  m_plan.points = parseGrid("strength=0,0.5,1", DType::F32);
  fs::remove_all(folder());
  claimSweepFolder(folder(), m_plan);
  const auto cells = std::make_shared<Cells>();
  QCOMPARE(run(cells), std::string("finished"));
  const std::vector<SweepRow> rows = mergeSweeps({folder()}).rows();
  QCOMPARE(rows.size(), 3u);
  QCOMPARE(rows[0].linfMedian, rows[0].bareLinfMedian);
  QVERIFY(rows[0].linfMedian > rows[1].linfMedian);
  QVERIFY(rows[1].linfMedian > 100 * rows[2].linfMedian);
  for (const SweepCell& cell : cellsOf(m_plan))
    QCOMPARE(finishedRun(folder(), m_plan, cell)->header->request.strength.alpha,
             cell.point.strength);
}

void tst_sweep_job::onlyUnfinishedCellsAreComputedAgain() {
  QCOMPARE(run(std::make_shared<Cells>()), std::string("finished"));
  const auto cells = cellsOf(m_plan);
  const auto path = [&](std::size_t index) { return folder() / cells[index].fileName(); };
  fs::resize_file(path(1), fs::file_size(path(1)) - 4096);
  fs::resize_file(path(3), 100);
  fs::resize_file(path(4), 0);
  fs::remove(path(6));
  const auto again = std::make_shared<Cells>();
  QCOMPARE(run(again), std::string("finished"));
  QCOMPARE(again->found, 4u);
  QCOMPARE(again->computed,
           (std::vector<std::string>{cells[1].fileName(), cells[3].fileName(),
                                     cells[4].fileName(), cells[6].fileName()}));
  for (const SweepCell& cell : cells) QVERIFY(finishedRun(folder(), m_plan, cell));
}

void tst_sweep_job::aStoppedSweepKeepsFinishedCells() {
  const auto cells = std::make_shared<Cells>();
  Outcome outcome;
  InlineWorker worker(outcome);
  cells->onFinished = [&] {
    if (cells->computed.size() == 3) worker.stop();
  };
  worker.run(makeSweepJob({m_plan, m_model, folder(), cellsOf(m_plan)}, cells));
  QCOMPARE(outcome.ending, std::string("cancelled"));
  const std::size_t kept = cells->computed.size();
  QVERIFY(kept == 3 || kept == 4);  // 4: two cells were computed at once
  const auto rest = std::make_shared<Cells>();
  QCOMPARE(run(rest), std::string("finished"));
  QCOMPARE(rest->found, kept);
  QCOMPARE(rest->computed.size(), 8 - kept);
}

void tst_sweep_job::aFailedCellDoesNotStopOtherCells() {
  m_plan.prompts[0].text = std::string(200, 'a');  // more than the model's positions
  fs::remove_all(folder());
  claimSweepFolder(folder(), m_plan);
  const auto cells = std::make_shared<Cells>();
  QCOMPARE(run(cells), std::string("finished"));
  QCOMPARE(cells->failures.size(), 4u);
  QVERIFY(cells->failures[0].find("positions") != std::string::npos);
  QCOMPARE(cells->computed.size(), 4u);
}

/// The embedding of "c" is NaN.
void tst_sweep_job::aDamagedWeightFailsItsCells() {
  plan({.layers = 2});
  test::changeTensors(m_model, [](const std::string& name, std::vector<float>& values) {
    if (name.find("embed_tokens") == std::string::npos) return;
    const std::size_t width = values.size() / 64;
    std::fill_n(values.begin() + std::ptrdiff_t(2 * width), width, std::nanf(""));
  });
  SilentProgress silent;
  m_plan.origin = provenanceOf(*Session::open({.folder = m_model}, silent));
  m_plan.prompts = {{"one", "abab", false}, {"two", "abc", false}};
  fs::remove_all(folder());
  claimSweepFolder(folder(), m_plan);
  const auto cells = std::make_shared<Cells>();
  QCOMPARE(run(cells), std::string("finished"));
  QCOMPARE(cells->computed.size(), 4u);
  QCOMPARE(cells->failures.size(), 4u);
  for (const std::string& failure : cells->failures)
    QVERIFY2(failure.find("embed holds NaN or infinity") != std::string::npos,
             failure.c_str());
  const std::vector<SweepRow> rows = mergeSweeps({folder()}).rows();
  QCOMPARE(rows.size(), m_plan.points.size());
  for (const SweepRow& row : rows) {
    QCOMPARE(row.cells, 1);
    QCOMPARE(row.planned, 2);
    QCOMPARE(row.matches, row.steps);
  }
}

void tst_sweep_job::cellsClaimedByOtherProgramsAreSkipped() {
  const auto all = cellsOf(m_plan);
  const auto cells = std::make_shared<Cells>();
  {
    const auto other = CellClaim::take(folder(), all[2], {"far", 1, ""});
    QCOMPARE(run(cells), std::string("finished"));
  }
  QCOMPARE(cells->computed.size(), 7u);
  QCOMPARE(cells->elsewhere, 1u);
  QVERIFY(!finishedRun(folder(), m_plan, all[2]));
  const auto rest = std::make_shared<Cells>();
  QCOMPARE(run(rest), std::string("finished"));
  QCOMPARE(rest->computed, std::vector<std::string>{all[2].fileName()});
  QCOMPARE(rest->elsewhere, 0u);
  QVERIFY(fs::is_empty(folder() / "work"));
}

void tst_sweep_job::cellsFinishedByOtherProgramsAreReported() {
  const auto cells = std::make_shared<Cells>();
  const auto other = std::make_shared<Cells>();
  cells->onFound = [&] { run(other); };
  QCOMPARE(run(cells), std::string("finished"));
  QCOMPARE(other->computed.size(), 8u);
  QCOMPARE(cells->others.size(), 8u);
  QVERIFY(cells->computed.empty() && cells->elsewhere == 0);
}

/// One program died after it had published cell 0, another while it claimed cell 1. A
/// third program still computes cell 2.
void tst_sweep_job::whatDeadProgramsLeftIsRemoved() {
  const auto all = cellsOf(m_plan);
  QCOMPARE(run(std::make_shared<Cells>()), std::string("finished"));
  const fs::path work = folder() / "work";
  const auto leave = [&](const SweepCell& cell, const std::string& ending) {
    const fs::path path = work / (fs::path(cell.fileName()).stem().string() + ending);
    std::ofstream(path) << "left";
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return path;
  };
  leave(all[0], ".claim.1");
  leave(all[0], ".k3j2.eqrun");
  leave(all[1], ".k3j2.claiming");
  {
    const auto other = CellClaim::take(folder(), all[2], {"far", 1, ""});
    const fs::path kept = leave(all[2], ".a5b4.eqrun");
    QCOMPARE(run(std::make_shared<Cells>()), std::string("finished"));
    QVERIFY(fs::exists(kept));
    QCOMPARE(std::distance(fs::directory_iterator(work), {}), 2);
  }
  QCOMPARE(run(std::make_shared<Cells>()), std::string("finished"));
  QVERIFY(fs::is_empty(work));
}

void tst_sweep_job::parallelCellsEqualThoseComputedInTurn() {
  m_plan.prompts.push_back({"long", std::string(200, 'a'), false});
  m_plan.prompts.push_back({"three", "bcabbcacb", false});
  const fs::path together = m_folder->filePath("together").toStdString();
  for (const auto& [where, atOnce] : {std::pair(folder(), 1), std::pair(together, 3)}) {
    fs::remove_all(where);
    claimSweepFolder(where, m_plan);
    const auto cells = std::make_shared<Cells>();
    Outcome outcome;
    InlineWorker worker(outcome);
    worker.run(makeSweepJob({.plan = m_plan,
                             .model = m_model,
                             .folder = where,
                             .cells = cellsOf(m_plan),
                             .cellsAtOnce = atOnce},
                            cells));
    QCOMPARE(outcome.ending, std::string("finished"));
    QVERIFY(!outcome.backwards);
    QCOMPARE(cells->computed.size(), 12u);
    QCOMPARE(cells->failures.size(), 4u);
    QVERIFY(readCellNotes(where).claims.empty());
  }
  for (const SweepCell& cell : cellsOf(m_plan)) {
    if (cell.prompt.name == "long") continue;
    const StoredRun alone = readRun(folder() / cell.fileName());
    const StoredRun beside = readRun(together / cell.fileName());
    QCOMPARE(alone.steps.size(), 3u);
    QCOMPARE(beside.steps.size(), 3u);
    for (std::size_t step = 0; step < 3; ++step)
      QVERIFY(sameResults(*alone.steps[step], *beside.steps[step]));
  }
}

/// Cells that are computed alone, such as the first cell of a dtype, also have one
/// thread. More threads would change a cell's last digits, and interruptions decide which
/// cells are computed alone.
void tst_sweep_job::everyCellOfASmallModelHasOneThread() {
  const ThreadsFor several(2);
  const auto all = cellsOf(m_plan);
  for (const std::vector<SweepCell>& cells : {std::vector{all[0], all[1]}, all}) {
    Outcome outcome;
    InlineWorker worker(outcome);
    worker.run(
        makeSweepJob({m_plan, m_model, folder(), cells}, std::make_shared<Cells>()));
    QCOMPARE(outcome.ending, std::string("finished"));
    QCOMPARE(backend().threads(), 2);
  }
  for (const SweepCell& cell : all)
    QCOMPARE(readRun(folder() / cell.fileName()).header->provenance.threads, 1);
}

void tst_sweep_job::aStopEndsCellsComputedAtTheSameTime() {
  const auto cells = std::make_shared<Cells>();
  Outcome outcome;
  InlineWorker worker(outcome);
  cells->onFinished = [&] {
    if (cells->computed.size() == 2) worker.stop();
  };
  const SweepWork work{.plan = m_plan,
                       .model = m_model,
                       .folder = folder(),
                       .cells = cellsOf(m_plan),
                       .cellsAtOnce = 2};
  worker.run(makeSweepJob(work, cells));
  QCOMPARE(outcome.ending, std::string("cancelled"));
  QVERIFY(cells->computed.size() < 6);
  QVERIFY(readCellNotes(folder()).claims.empty());
  const auto rest = std::make_shared<Cells>();
  QCOMPARE(run(rest), std::string("finished"));
  QCOMPARE(rest->found, cells->computed.size());
  QCOMPARE(rest->computed.size(), 8 - rest->found);
}

EQUIPATCH_TEST(tst_sweep_job)
#include "tst_sweep_job.moc"
