#include <iterator>

#include "core/figure/run_figures.h"

namespace equipatch {
namespace {

void take(Figure&& part, Figure& whole) {
  whole.panels.insert(whole.panels.end(), std::make_move_iterator(part.panels.begin()),
                      std::make_move_iterator(part.panels.end()));
}

}  // namespace

Figure overviewFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice) {
  Figure figure{
      .kind = "overview", .title = "A prompt's effect as a patch", .columns = 2};
  std::vector<FigureRun> first = {runs.front()};
  if (runs.size() == 1) first.front().name.clear();  // a legend has it
  take(generationFigure(runs), figure);
  take(patchNormFigure(first, choice), figure);
  take(layerErrorFigure(runs, choice), figure);
  if (runs.front().header->closesWithScale)
    take(scaleHeatmapFigure(first, choice), figure);
  return figure;
}

}  // namespace equipatch
