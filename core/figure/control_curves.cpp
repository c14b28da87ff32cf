// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/control_curves.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/figure/run_names.h"
#include "core/figure/token_axis.h"

namespace equipatch {
namespace {

using Group = std::vector<const FigureRun*>;

/// True if, at each step that both runs have, their bare passes are equally far from
/// their contextual passes.
bool haveSameControl(const FigureRun& a, const FigureRun& b) {
  constexpr double kNear = 1e-6;  // relative; invisible in figures
  for (std::int64_t place = 0; place < std::min(endOf(a), endOf(b)); ++place) {
    const StepRecord *first = stepAt(a, place), *second = stepAt(b, place);
    if (!first || !second || !first->bareDistance || !second->bareDistance) continue;
    const double one = first->bareDistance->linf, other = second->bareDistance->linf;
    if (std::abs(one - other) > kNear * std::max(one, other)) return false;
  }
  return true;
}

bool absorbTheSame(const FigureRun& a, const FigureRun& b) {
  const RunHeader &own = *a.header, &other = *b.header;
  return other.modelName == own.modelName && other.request.prompt == own.request.prompt &&
         other.request.images == own.request.images &&
         other.request.absorbed == own.request.absorbed;
}

/// The runs that have a bare pass, in groups that absorb the same.
std::vector<Group> groupedByContext(const std::vector<FigureRun>& runs) {
  std::vector<Group> groups;
  for (const FigureRun& run : runs) {
    if (std::ranges::none_of(
            run.steps, [](const auto& step) { return step->bareDistance.has_value(); }))
      continue;
    const auto found = std::ranges::find_if(
        groups, [&](const Group& group) { return absorbTheSame(*group.front(), run); });
    if (found == groups.end())
      groups.push_back({&run});
    else
      found->push_back(&run);
  }
  return groups;
}

/// The first run of the group for each distinct bare pass.
Group distinctIn(const Group& group) {
  Group distinct;
  for (const FigureRun* run : group)
    if (std::ranges::none_of(distinct, [run](const FigureRun* other) {
          return haveSameControl(*other, *run);
        }))
      distinct.push_back(run);
  return distinct;
}

/// The run with default values for settings that do not change its bare pass. A free run
/// keeps its patch settings, because its text depends on them.
FigureRun withoutPatch(FigureRun run) {
  RunHeader header = *run.header;
  if (!header.request.freeRun) {
    header.request.patch = {};
    header.request.strength = {};
  }
  for (const RunExtra& extra : kRunExtras) header.request.*extra.is = extra.usual;
  run.header = std::make_shared<const RunHeader>(std::move(header));
  return run;
}

/// For each group, what distinguishes the bare pass of its first run from all other bare
/// passes: settings, or the run's name. Empty if no such setting differs.
std::vector<std::string> detailsOf(const std::vector<Group>& groups) {
  std::vector<FigureRun> passes;
  std::vector<std::size_t> firsts;  // the index of each group's first run in `passes`
  for (const Group& group : groups) {
    firsts.push_back(passes.size());
    for (const FigureRun* run : distinctIn(group)) passes.push_back(withoutPatch(*run));
  }
  const std::vector<std::string> words = differingWords(passes);
  if (passes.size() < 2) return words;
  std::vector<std::string> ofFirst;
  for (const std::size_t first : firsts) ofFirst.push_back(words[first]);
  std::vector<std::string> details = ofFirst;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const FigureRun& first = *groups[group].front();
    const bool isUnclear = std::ranges::count(ofFirst, ofFirst[group]) > 1;
    if (isUnclear || (!first.own.empty() && groups[group].size() == 1))
      details[group] = first.name;
  }
  return details;
}

}  // namespace

std::vector<FigureCurve> controlCurves(const std::vector<FigureRun>& runs,
                                       StepMeasure measure) {
  constexpr std::size_t kMost = 4;  // references have four kinds of dashes
  std::vector<Group> groups = groupedByContext(runs);
  const std::vector<std::string> details = detailsOf(groups);
  if (groups.size() > kMost) groups.resize(1);
  std::vector<FigureCurve> curves;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const FigureRun& run = *groups[group].front();
    const std::string& detail = details[group];
    FigureCurve curve{.name = "bare pass" + (detail.empty() ? "" : ", " + detail),
                      .look = FigureCurve::Look::Reference,
                      .style = static_cast<int>(curves.size())};
    for (const auto& step : run.steps) {
      if (!step->bareDistance) continue;
      const LogitDistance& distance = *step->bareDistance;
      curve.x.push_back(static_cast<double>(step->step.value + run.begins));
      curve.y.push_back(measure == StepMeasure::Linf ? distance.linf : distance.tvd);
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace equipatch
