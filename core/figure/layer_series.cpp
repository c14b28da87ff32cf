#include "core/figure/layer_series.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/figure/statistics.h"
#include "core/record/quantile.h"

namespace equipatch {

std::vector<std::shared_ptr<const StepRecord>> chosenSteps(
    const FigureRun& run, const std::optional<StepIndex>& step) {
  if (!step) return run.steps;
  const auto index = static_cast<std::size_t>(step->value);
  if (step->value < 0 || index >= run.steps.size())
    throw badInput("the run \"" + run.name + "\" has no step " +
                   std::to_string(step->value) + "; choose one from 0 to " +
                   std::to_string(run.steps.size() - 1));
  return {run.steps[index]};
}

FigureCurve layerCurve(
    const std::vector<std::shared_ptr<const StepRecord>>& steps,
    const std::function<double(const StepRecord&, std::size_t)>& quantity) {
  FigureCurve curve;
  std::size_t layers = 0;
  for (const auto& step : steps) layers = std::max(layers, step->layers.size());
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::vector<double> values;
    for (const auto& step : steps)
      if (layer < step->layers.size()) values.push_back(quantity(*step, layer));
    values = sortedNumbers(std::move(values));
    curve.x.push_back(static_cast<double>(layer));
    curve.y.push_back(sortedQuantile(values, 0.5));
    if (steps.size() == 1) continue;
    curve.lower.push_back(sortedQuantile(values, 0.1));
    curve.upper.push_back(sortedQuantile(values, 0.9));
  }
  return curve;
}

std::string stepsInWords(const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  if (steps.size() == 1) return "step " + std::to_string(steps.front()->step.value);
  return "median and 10 to 90 % of " + std::to_string(steps.size()) + " steps";
}

std::string panelTitle(const FigureRun& run,
                       const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  return (run.name.empty() ? "" : run.name + ", ") + stepsInWords(steps);
}

}  // namespace equipatch
