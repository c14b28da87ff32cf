#include "core/record/sweep/sweep_table.h"

#include <cmath>

#include "tests/core/record/small_sweep.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sweep_table : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void addsUpAllStepsOfAPoint();
  void worstVerdictOfAllRuns();
  void aPointWithoutRunsHasARow();
  void rowsHaveTheDocumentedColumns();
};

namespace {

const SweepPoint kPoint{DType::BF16, {Method::Direct, Loop::Open}};

/// A run of steps with these L∞, measured against this floor.
StoredRun runWith(const std::vector<double>& linf, double floor) {
  StoredRun run{.header = std::make_shared<const RunHeader>(), .steps = {}, .damage = {}};
  for (const double distance : linf) {
    StepRecord step;
    step.patchedDistance = {distance, distance / 100.0, 0.0};
    step.bareDistance = LogitDistance{10.0 * distance, 1.0, 1.0};
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
}

void tst_sweep_table::worstVerdictOfAllRuns() {
  const auto worst = [](const std::vector<StoredRun>& runs) {
    SweepTable table;
    for (const StoredRun& run : runs) table.add(kPoint, run);
    return table.rows()[0].worst;
  };
  QVERIFY(worst({runWith({1.0}, 1.0)}) == VerdictKind::Exact);
  QVERIFY(worst({runWith({1.0, 2.0}, 1.0), runWith({1.0}, 1.0)}) ==
          VerdictKind::Rounding);
  QVERIFY(worst({runWith({1.0}, 1.0), runWith({11.0}, 1.0)}) == VerdictKind::MethodError);
  // Each by its own run's floor: the other run's would have allowed it.
  QVERIFY(worst({runWith({1.0}, 0.01), runWith({1.0}, 5.0)}) == VerdictKind::MethodError);
  QVERIFY(worst({runWith({1.0}, 0.0)}) == VerdictKind::Unmeasured);
}

void tst_sweep_table::aPointWithoutRunsHasARow() {
  SweepTable table;
  table.plan(kPoint);
  QCOMPARE(table.rows().size(), 1u);
  QCOMPARE(table.rows()[0].matchPercent(), 0.0);
}

void tst_sweep_table::rowsHaveTheDocumentedColumns() {
  SweepTable table;
  table.add(kPoint, runWith({1.0}, 1.0));
  const ExportRow row = exportRow(table.rows()[0]);
  QCOMPARE(row.names,
           (std::vector<std::string>{"dtype", "method", "loop", "application", "cells",
                                     "cells_planned", "steps", "matches", "match_percent",
                                     "linf_median", "linf_95", "linf_max", "tvd_max",
                                     "bare_linf_median", "worst_verdict"}));
  QVERIFY(row.cells.front() == SqlValue("bfloat16"));
  QVERIFY(row.cells.back() == SqlValue("exact"));
}

EQUIPATCH_TEST(tst_sweep_table)
#include "tst_sweep_table.moc"
