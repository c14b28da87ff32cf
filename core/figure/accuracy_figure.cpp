// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/number_format.h"
#include "core/figure/run_figures.h"
#include "core/figure/run_names.h"
#include "core/figure/statistics.h"

namespace equipatch {
namespace {

/// All steps of the runs of the same settings.
struct Group {
  std::string key;
  std::string name;
  std::shared_ptr<const RunHeader> header;  ///< of its first run, without its text
  int style = 0;
  std::vector<double> linf;
  std::int64_t steps = 0;
  std::int64_t matches = 0;
};

void add(const FigureRun& run, Group& group) {
  for (const auto& step : run.steps) {
    group.linf.push_back(step->patchedDistance.linf);
    ++group.steps;
    group.matches += step->match ? 1 : 0;
  }
}

/// Removes the prompt, which must not distinguish groups.
std::shared_ptr<const RunHeader> withoutText(RunHeader header) {
  header.request.promptText.clear();
  return std::make_shared<const RunHeader>(std::move(header));
}

/// Names groups by the settings in which they differ.
void nameAll(std::vector<Group>& groups) {
  RunHeaders headers;
  for (const Group& group : groups) headers.push_back(group.header);
  const std::vector<std::string> names = namesOf(headers);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].name = names[i];
}

/// Groups in the order of their first runs, with the styles of these.
std::vector<Group> groupsOf(const std::vector<FigureRun>& runs) {
  std::vector<Group> groups;
  for (const FigureRun& run : runs) {
    const std::string key = settingsKey(*run.header);
    auto group = std::ranges::find(groups, key, &Group::key);
    if (group == groups.end())
      group = groups.insert(group, {.key = key,
                                    .header = withoutText(*run.header),
                                    .style = run.style.value_or(int(groups.size()))});
    add(run, *group);
  }
  nameAll(groups);
  return groups;
}

FigureBox boxOfGroup(const Group& group, int place) {
  FigureBox box = boxOf(group.linf);
  box.name = group.name;
  box.style = group.style;
  box.x = static_cast<double>(place);
  return box;
}

FigureBar barOf(const Group& group, int place) {
  return {.name = group.name,
          .style = group.style,
          .x = static_cast<double>(place),
          .value = 100.0 * static_cast<double>(group.matches) /
                   static_cast<double>(group.steps),
          .text = shareText(group.matches, group.steps)};
}

}  // namespace

Figure accuracyFigure(const std::vector<FigureRun>& runs) {
  FigurePanel distances;
  distances.y = {.label = "L∞ of the logits", .scale = FigureScale::Logarithmic};
  FigurePanel accuracy;
  accuracy.y = {.label = "equal tokens, %"};
  int place = 0;
  for (const Group& group : groupsOf(runs)) {
    distances.boxes.push_back(boxOfGroup(group, place));
    accuracy.bars.push_back(barOf(group, place++));
    accuracy.x.names.push_back(group.name);
  }
  distances.x.names = accuracy.x.names;
  return {.kind = "accuracy",
          .title = "How close the patched pass comes",
          .columns = 2,
          .panels = {std::move(distances), std::move(accuracy)}};
}

}  // namespace equipatch
