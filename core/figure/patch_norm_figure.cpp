#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/figure/layer_series.h"
#include "core/figure/run_figures.h"

namespace equipatch {
namespace {

constexpr double kMissingNorm = std::numeric_limits<double>::quiet_NaN();

/// "shared_gate" as people read it.
std::string spaced(std::string matrix) {
  std::ranges::replace(matrix, '_', ' ');
  return matrix;
}

class Panel {
 public:
  Panel(const FigureRun& run, const FigureChoice& choice)
      : m_run(run), m_steps(chosenSteps(run, choice.step)), m_measure(choice.measure) {}

  FigurePanel panel() {
    const bool absolute = m_measure == PatchMeasure::Absolute;
    m_panel.title = panelTitle(m_run, m_steps);
    m_panel.x = {.label = "layer", .counts = true};
    m_panel.y = {.label = absolute ? "‖patch‖" : "‖ΔW‖ / ‖W‖",
                 .scale = FigureScale::Logarithmic};
    for (const std::string& matrix : m_run.header->patchedMatrices) addMatrix(matrix);
    // Their own sizes are not part of a record, so they have no relative measure.
    if (absolute && m_run.header->closesWithScale)
      add("Δm scale", [](const StepRecord& step, std::size_t layer) {
        return step.layers[layer].scaleNorm;
      });
    if (absolute && m_run.header->closesWithBias)
      add("Δb bias", [](const StepRecord& step, std::size_t layer) {
        return step.layers[layer].biasNorm;
      });
    return std::move(m_panel);
  }

 private:
  template <typename Quantity>
  void add(std::string name, Quantity quantity) {
    FigureCurve curve = layerCurve(m_steps, quantity);
    curve.name = std::move(name);
    curve.style = static_cast<int>(m_panel.curves.size());
    m_panel.curves.push_back(std::move(curve));
  }

  void addMatrix(const std::string& matrix) {
    add("ΔW " + spaced(matrix),
        [this, matrix](const StepRecord& step, std::size_t layer) {
          const MatrixPatchNorm* norm = step.layers[layer].find(matrix);
          if (!norm) return kMissingNorm;
          return m_measure == PatchMeasure::Absolute ? norm->norm : norm->relative;
        });
  }

  const FigureRun& m_run;
  std::vector<std::shared_ptr<const StepRecord>> m_steps;
  PatchMeasure m_measure;
  FigurePanel m_panel;
};

}  // namespace

Figure patchNormFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice) {
  Figure figure{.kind = "patch-norms", .title = "Size of the patches by layer"};
  for (const FigureRun& run : runs) figure.panels.push_back(Panel(run, choice).panel());
  return figure;
}

}  // namespace equipatch
