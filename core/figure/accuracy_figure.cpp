// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/strings.h"
#include "core/figure/run_figures.h"
#include "core/figure/run_groups.h"
#include "core/figure/statistics.h"
#include "core/record/step_record.h"

namespace equipatch {
namespace {

/// The axis that names the rows of boxes or bars.
FigureAxis rowAxis(const std::vector<FigureBox>& boxes) {
  FigureAxis axis{.label = "run"};
  for (const FigureBox& box : boxes) axis.names.push_back(box.name);
  return axis;
}

}  // namespace

FigureBox boxOfSteps(const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  std::vector<double> linf;
  linf.reserve(steps.size());
  FigureShare equal{.whole = std::ssize(steps)};
  for (const auto& step : steps) {
    linf.push_back(step->patchedDistance.linf);
    equal.part += step->match ? 1 : 0;
  }
  FigureBox box = boxOf(std::move(linf));
  box.equal = equal;
  return box;
}

FigurePanel distancePanel(std::vector<FigureBox> boxes) {
  return {.x = {.label = "L∞ of the logits", .scale = FigureScale::Logarithmic},
          .y = rowAxis(boxes),
          .boxes = std::move(boxes)};
}

FigurePanel sharePanel(const std::vector<FigureBox>& boxes) {
  FigurePanel panel{.x = {.label = "equal tokens, %", .limits = FigureRange{0.0, 100.0}},
                    .y = rowAxis(boxes)};
  for (const FigureBox& box : boxes)
    panel.bars.push_back(
        {.name = box.name, .style = box.style, .colour = box.colour, .share = box.equal});
  return panel;
}

Figure accuracyFigure(const std::vector<FigureRun>& runs) {
  std::vector<FigureBox> boxes;
  const std::vector<RunGroup> groups = groupsOf(runs, RunGrouping::Settings);
  const bool runCountsDiffer = std::ranges::any_of(groups, [&](const RunGroup& group) {
    return group.runs.size() != groups.front().runs.size();
  });
  for (const RunGroup& group : groups) {
    std::vector<std::shared_ptr<const StepRecord>> steps;
    for (const FigureRun* run : group.runs)
      steps.insert(steps.end(), run->steps.begin(), run->steps.end());
    FigureBox box = boxOfSteps(steps);
    box.name = group.name;
    if (runCountsDiffer) box.name += " (" + countText(group.runs.size(), "run") + ")";
    box.style = group.style;
    box.colour = group.colour;
    boxes.push_back(std::move(box));
  }
  FigurePanel shares = sharePanel(boxes);
  for (FigureBox& box : boxes) box.equal = {};  // sharePanel shows it
  return {.kind = "accuracy",
          .title = "How close the patched pass comes",
          .columns = 2,
          .panels = {distancePanel(std::move(boxes)), std::move(shares)}};
}

}  // namespace equipatch
