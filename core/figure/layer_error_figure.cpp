#include "core/figure/layer_series.h"
#include "core/figure/run_figures.h"
#include "core/record/verdict.h"

namespace equipatch {
namespace {

/// How far the contextual pass is from itself; of the first run that measured it.
FigureCurve floorOf(const std::vector<FigureRun>& runs) {
  FigureCurve curve{.name = "noise floor", .role = FigureCurve::Role::Reference};
  for (const FigureRun& run : runs) {
    NoiseFloor floor;
    for (const auto& step : run.steps) floor.include(*step);
    if (floor.layers.empty()) continue;
    if (runs.size() > 1) curve.name += ", " + run.name;
    for (std::size_t layer = 0; layer < floor.layers.size(); ++layer) {
      curve.x.push_back(static_cast<double>(layer));
      curve.y.push_back(floor.layers[layer]);
    }
    break;
  }
  return curve;
}

}  // namespace

Figure layerErrorFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice) {
  FigurePanel panel;
  panel.x = {.label = "layer", .counts = true};
  panel.y = {.label = "‖x′ − x‖ / ‖x‖", .scale = FigureScale::Logarithmic};
  for (const FigureRun& run : runs) {
    const auto steps = chosenSteps(run, choice.step);
    FigureCurve curve = layerCurve(steps, [](const StepRecord& step, std::size_t layer) {
      return step.layers[layer].hiddenError;
    });
    curve.name = run.name;
    curve.style = run.style.value_or(static_cast<int>(panel.curves.size()));
    panel.curves.push_back(std::move(curve));
    if (runs.size() == 1) panel.title = stepsInWords(steps);
  }
  if (FigureCurve floor = floorOf(runs); !floor.x.empty())
    panel.curves.push_back(std::move(floor));
  return {.kind = "layer-error",
          .title = "Hidden error of the patched pass by layer",
          .panels = {std::move(panel)}};
}

}  // namespace equipatch
