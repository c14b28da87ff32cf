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

  void saysWhosePanelItIsOnlyWhereThatIsAQuestion() {
    const Figure one = overviewFigure({figureRun("mine", 3)}, {});
    QCOMPARE(one.panels[2].title, std::string("median and 10 to 90 % of 3 steps"));
    QCOMPARE(one.panels[4].title, std::string("step 0"));
    const Figure two = overviewFigure({figureRun("mine", 3), figureRun("other", 3)}, {});
    QCOMPARE(two.panels[2].title, std::string("mine, median and 10 to 90 % of 3 steps"));
  }

  void leavesOutWhatTheModelLacks() {
    const Figure figure =
        overviewFigure({figureRun("run", 3, {.closesWithScale = false})}, {});
    QCOMPARE(figure.panels.size(), std::size_t{4});
  }
};

EQUIPATCH_TEST(tst_overview_figure)
#include "tst_overview_figure.moc"
