#include "core/base/error.h"
#include "core/figure/layer_series.h"
#include "core/figure/run_figures.h"

namespace equipatch {

Figure scaleHeatmapFigure(const std::vector<FigureRun>& runs,
                          const FigureChoice& choice) {
  Figure figure{.kind = "scale-heatmap", .title = "Δm by layer and channel"};
  for (const FigureRun& run : runs) {
    if (!run.header->closesWithScale)
      throw badInput("the blocks of " + run.header->modelName +
                     " close without a norm scale, so there is no Δm to draw; draw "
                     "patch-norms instead");
    const auto steps = chosenSteps(run, choice.step.value_or(StepIndex(0)));
    FigurePanel panel;
    panel.title = panelTitle(run, steps);
    panel.x = {.label = "channel", .counts = true};
    panel.y = {.label = "layer", .counts = true};
    panel.map = FigureMap{"Δm", scaleDeltaGrid(*steps.front())};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace equipatch
