#include "core/figure/run_figures.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

class tst_overview_figure : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void showsAllPanels() {
    const Figure figure = overviewFigure({figureRun("run", 3)}, {});
    QCOMPARE(figure.panels.size(), std::size_t{5});
    QVERIFY(figure.panels.back().map.has_value());
  }

  void leavesOutWhatTheModelLacks() {
    const Figure figure =
        overviewFigure({figureRun("run", 3, {.closesWithScale = false})}, {});
    QCOMPARE(figure.panels.size(), std::size_t{4});
  }
};

EQUIPATCH_TEST(tst_overview_figure)
#include "tst_overview_figure.moc"
