#include "core/figure/run_figures.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

class tst_scale_heatmap_figure : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theMapIsTheStepsVectors() {
    const FigureRun run = figureRun("mine", 3, {.layers = 4, .width = 10});
    const FigurePanel panel =
        scaleHeatmapFigure({run}, {.step = StepIndex(1)}).panels.at(0);
    QCOMPARE(panel.title, std::string("mine, step 1"));
    QCOMPARE(panel.map->grid.layers(), 4);
    QCOMPARE(panel.map->grid.columns(), 10);
    QCOMPARE(panel.map->grid.at(2, 7), run.steps[1]->layers[2].scaleDelta[7]);
  }

  void theFirstStepUnlessAnotherIsChosen() {
    const FigureRun run = figureRun("mine", 3);
    const Figure figure = scaleHeatmapFigure({run}, {});
    QCOMPARE(figure.panels[0].map->grid.at(0, 0), run.steps[0]->layers[0].scaleDelta[0]);
  }

  void blocksWithoutScaleAreRefused() {
    QVERIFY_ERROR(
        scaleHeatmapFigure({figureRun("run", 1, {.closesWithScale = false})}, {}),
        "the blocks of synthetic close without a norm scale");
  }
};

EQUIPATCH_TEST(tst_scale_heatmap_figure)
#include "tst_scale_heatmap_figure.moc"
