#include "core/figure/layer_series.h"

#include <cmath>

#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

namespace {

double stepTimesTen(const StepRecord& step, std::size_t layer) {
  return 10.0 * double(step.step.value) + double(layer);
}

}  // namespace

class tst_layer_series : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void severalStepsAreAMedianInABand() {
    const FigureRun run = figureRun("run", 11, {.layers = 2});
    const FigureCurve curve = layerCurve(run.steps, stepTimesTen);
    QCOMPARE(curve.x, (std::vector<double>{0, 1}));
    QCOMPARE(curve.y, (std::vector<double>{50, 51}));
    QCOMPARE(curve.lower, (std::vector<double>{10, 11}));
    QCOMPARE(curve.upper, (std::vector<double>{90, 91}));
    QCOMPARE(stepsInWords(run.steps), std::string("median and 10 to 90 % of 11 steps"));
  }

  void oneStepIsAsItIs() {
    const auto steps = chosenSteps(figureRun("run", 5, {.layers = 2}), StepIndex(3));
    const FigureCurve curve = layerCurve(steps, stepTimesTen);
    QCOMPARE(curve.y, (std::vector<double>{30, 31}));
    QVERIFY(curve.lower.empty());
    QCOMPARE(stepsInWords(steps), std::string("step 3"));
  }

  void whatALayerLacksIsAGap() {
    const FigureRun run = figureRun("run", 3, {.layers = 2});
    const FigureCurve curve = layerCurve(
        run.steps,
        [](const StepRecord&, std::size_t layer) { return layer == 0 ? NAN : 1.0; });
    QVERIFY(std::isnan(curve.y[0]));
    QCOMPARE(curve.y[1], 1.0);
  }

  void aMissingStepIsRefused() {
    QVERIFY_ERROR(chosenSteps(figureRun("mine", 5), StepIndex(5)),
                  "the run \"mine\" has no step 5; choose one from 0 to 4");
  }
};

EQUIPATCH_TEST(tst_layer_series)
#include "tst_layer_series.moc"
