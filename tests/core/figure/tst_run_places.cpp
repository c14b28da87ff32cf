// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_places.h"

#include "core/record/run_request.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

namespace {

/// A run of 3 steps that leaves `run` after `before` of its steps with another token.
FigureRun branchOf(const FigureRun& run, int before) {
  FigureRun branch = figureRun("branch", 3);
  auto header = std::make_shared<RunHeader>(*run.header);
  header->request = branchedRequest(run.header->request,
                                    {run.steps.begin(), run.steps.begin() + before},
                                    {TokenId(900 + before), "other", 0.0, 0.1});
  branch.header = header;
  return branch;
}

FigureRun unrelatedRun() {
  FigureRun run = figureRun("unrelated", 3);
  auto header = std::make_shared<RunHeader>(*run.header);
  header->modelName = "another model";
  run.header = header;
  return run;
}

std::vector<std::int64_t> placesIn(std::vector<FigureRun> runs,
                                   const std::vector<FigureRun>& known = {}) {
  alignBranches(runs, known);
  std::vector<std::int64_t> places;
  for (const FigureRun& run : runs) places.push_back(run.begins);
  return places;
}

}  // namespace

class tst_run_places : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void branchesAreAlignedWithRelatedRuns() {
    using Places = std::vector<std::int64_t>;
    const FigureRun run = figureRun("mine", 6);
    for (int before = 0; before < 6; ++before) {
      const FigureRun branch = branchOf(run, before);
      QCOMPARE(placesIn({branch, run, unrelatedRun()}), (Places{before + 1, 0, 0}));
      QCOMPARE(placesIn({run, branch}), (Places{0, before + 1}));
      QCOMPARE(placesIn({branch}, {run}), Places{0});  // alone
      QCOMPARE(placesIn({unrelatedRun(), branch}, {run}), (Places{0, 0}));
    }
    // Two branches are aligned by a parent that is not drawn.
    QCOMPARE(placesIn({branchOf(run, 4), branchOf(run, 1)}, {run}), (Places{3, 0}));
    QCOMPARE(placesIn({}), Places());
  }

  void placedRunsReferToTheRunsAndNameTheirFiles() {
    FigureRun run = figureRun("mine", 2);
    const FigureRun unrecorded = figureRun("other", 1);
    run.file = "/runs/a.eqrun";
    const std::vector<FigureRun> runs = {run}, known = {unrecorded};
    const std::vector<PlacedRun> placed = placedRuns(runs, known);
    QCOMPARE(placed.size(), std::size_t(2));
    QVERIFY(placed[0].header == run.header.get() && placed[0].steps == &runs[0].steps);
    QCOMPARE(placed[0].file, std::string("a.eqrun"));
    QCOMPARE(placed[1].file, std::string());
  }

  void aligningResetsRunsWithoutAParent() {
    FigureRun run = figureRun("mine", 2);
    run.begins = 5;
    std::vector<FigureRun> runs = {run};
    QVERIFY(hasBranches(runs));
    alignBranches(runs);
    QVERIFY(!hasBranches(runs));
  }
};

EQUIPATCH_TEST(tst_run_places)
#include "tst_run_places.moc"
