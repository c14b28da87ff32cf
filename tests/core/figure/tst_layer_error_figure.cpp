#include "core/figure/run_figures.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

class tst_layer_error_figure : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void curvesAreHiddenErrors() {
    const FigureRun run = figureRun("mine", 1);
    const FigurePanel panel = layerErrorFigure({run}, {}).panels.at(0);
    QCOMPARE(panel.curves.size(), std::size_t{1});
    for (std::size_t layer = 0; layer < run.steps[0]->layers.size(); ++layer)
      QCOMPARE(panel.curves[0].y[layer], run.steps[0]->layers[layer].hiddenError);
  }

  void stylesAreTheUsers() {
    FigureRun run = figureRun("mine", 1);
    run.style = 3;
    QCOMPARE(layerErrorFigure({run}, {}).panels.at(0).curves.at(0).style, 3);
  }

  void theFloorIsOfTheRunThatMeasuredIt() {
    const Figure figure = layerErrorFigure(
        {figureRun("plain", 2), figureRun("measured", 2, {.noise = true})}, {});
    const FigureCurve& floor = figure.panels.at(0).curves.back();
    QCOMPARE(floor.name, std::string("noise floor, measured"));
    QVERIFY(floor.role == FigureCurve::Role::Reference);
    QCOMPARE(floor.y, std::vector<double>(6, 1.5e-3));
  }
};

EQUIPATCH_TEST(tst_layer_error_figure)
#include "tst_layer_error_figure.moc"
