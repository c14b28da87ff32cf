#include "ui/run/run_queue.h"

#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_precision_grid : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void hasTheFourCellsOfTheIssue() {
    RunSettings base;
    base.model.folder = "/models/tiny";
    base.model.computeFloat32 = true;
    base.prompt.text = "Once";
    base.run.steps = 33;
    base.run.patch.application = Application::Materialised;
    base.prompt.absorb = "0-1";
    const std::vector<RunSettings> grid = precisionGrid(base);
    QCOMPARE(grid.size(), std::size_t(4));
    std::set<std::tuple<DType, Method, Loop>> cells;
    for (const RunSettings& run : grid) {
      cells.insert({run.model.dtype.value(), run.run.patch.method, run.run.patch.loop});
      QCOMPARE(run.model.folder.string(), "/models/tiny");
      QVERIFY(!run.model.computeFloat32);  // or bfloat16's rounding would not be seen
      QCOMPARE(run.prompt.text, "Once");
      QCOMPARE(run.run.steps, 33);
      QCOMPARE(run.run.patch.application, Application::Materialised);
      QCOMPARE(run.prompt.absorb, "0-1");
    }
    QVERIFY((cells == std::set<std::tuple<DType, Method, Loop>>{
                          {DType::F32, Method::Balanced, Loop::Closed},
                          {DType::BF16, Method::Direct, Loop::Open},
                          {DType::BF16, Method::Stable, Loop::Open},
                          {DType::BF16, Method::Balanced, Loop::Closed}}));
  }
};

EQUIPATCH_TEST(tst_precision_grid)
#include "tst_precision_grid.moc"
