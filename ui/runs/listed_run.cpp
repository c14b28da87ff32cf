// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/listed_run.h"

namespace equipatch {

FigureRun figureRunOf(const ListedRun& run) {
  return {.name = run.ownName.toStdString(),
          .header = run.header,
          .steps = run.steps,
          .style = run.colour,
          .colour = run.ownColour(),
          .file = run.file,
          .own = run.ownName.toStdString()};
}

SeriesStyle ListedRun::style() const {
  // The style in which the charts by step draw the run.
  return styleOf(FigureCurve{
      .name = name.toStdString(), .style = colour, .colour = ownColour(), .dense = true});
}

}  // namespace equipatch
