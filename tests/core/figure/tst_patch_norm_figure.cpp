#include <cmath>

#include "core/figure/run_figures.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;

class tst_patch_norm_figure : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aStepIsItsRecord() {
    const FigureRun run = figureRun("mine", 4);
    const FigurePanel panel = patchNormFigure({run}, {.step = StepIndex(2)}).panels.at(0);
    QCOMPARE(panel.title, std::string("mine, step 2"));
    QCOMPARE(panel.curves.size(), std::size_t{4});
    QCOMPARE(panel.curves[1].name, std::string("ΔW up"));
    QCOMPARE(panel.curves[1].y[3], run.steps[2]->layers[3].find("up")->norm);
    QCOMPARE(panel.curves[3].y[5], run.steps[2]->layers[5].scaleNorm);
  }

  void relativeSizesAreOfMatricesAlone() {
    const FigureRun run = figureRun("mine", 1);
    const FigurePanel panel =
        patchNormFigure({run}, {.measure = PatchMeasure::Relative}).panels.at(0);
    QCOMPARE(panel.curves.size(), std::size_t{3});
    QCOMPARE(panel.curves[0].y[2], run.steps[0]->layers[2].find("gate")->relative);
  }

  void aLayerWithoutTheMatrixIsAGap() {
    const FigureRun run = changed(figureRun("mine", 1), 0, [](StepRecord& record) {
      record.layers[1].matrices.erase(record.layers[1].matrices.begin());
    });
    QVERIFY(std::isnan(patchNormFigure({run}, {}).panels[0].curves[0].y[1]));
  }

  void eachRunHasItsPanel() {
    const FigureRun bias =
        figureRun("bias", 2, {.closesWithScale = false, .closesWithBias = true});
    const Figure figure = patchNormFigure({figureRun("one", 3), bias}, {});
    QCOMPARE(figure.panels.size(), std::size_t{2});
    QCOMPARE(figure.panels[1].curves.back().name, std::string("Δb bias"));
  }
};

EQUIPATCH_TEST(tst_patch_norm_figure)
#include "tst_patch_norm_figure.moc"
