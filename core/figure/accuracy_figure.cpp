// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/figure/run_figures.h"
#include "core/figure/run_names.h"
#include "core/figure/statistics.h"
#include "core/record/step_record.h"

namespace equipatch {
namespace {

/// All steps of the runs of the same settings.
struct Group {
  std::string key;
  std::string name;
  std::shared_ptr<const RunHeader> header;  ///< of its first run, without its text
  int style = 0;
  std::string colour;
  std::vector<std::shared_ptr<const StepRecord>> steps;
};

/// Removes the prompt, which must not distinguish groups.
std::shared_ptr<const RunHeader> withoutText(RunHeader header) {
  header.request.promptText.clear();
  return std::make_shared<const RunHeader>(std::move(header));
}

/// Names groups by the settings in which they differ.
void nameAll(std::vector<Group>& groups) {
  RunHeaders headers;
  for (const Group& group : groups) headers.push_back(group.header);
  const std::vector<std::string> names = wholeNamesOf(headers);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].name = names[i];
}

/// Groups in the order of their first runs, each with the style of its first run.
std::vector<Group> groupsOf(const std::vector<FigureRun>& runs) {
  std::vector<Group> groups;
  for (const FigureRun& run : runs) {
    const std::string key = settingsKey(*run.header);
    auto group = std::ranges::find(groups, key, &Group::key);
    if (group == groups.end())
      group = groups.insert(group, {.key = key,
                                    .header = withoutText(*run.header),
                                    .style = run.style.value_or(int(groups.size())),
                                    .colour = run.colour});
    group->steps.insert(group->steps.end(), run.steps.begin(), run.steps.end());
  }
  nameAll(groups);
  return groups;
}

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
  for (const Group& group : groupsOf(runs)) {
    FigureBox box = boxOfSteps(group.steps);
    box.name = group.name;
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
