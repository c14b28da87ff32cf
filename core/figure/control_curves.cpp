// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/control_curves.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/dtype.h"
#include "core/figure/token_axis.h"

namespace equipatch {
namespace {

using Group = std::vector<const FigureRun*>;

/// True if the bare passes of two runs are equally far from their contextual passes.
/// Those of two dtypes are not.
bool haveSameControl(const FigureRun& a, const FigureRun& b) {
  constexpr double kNear = 1e-6;  // of the larger one; less than figures show
  for (std::int64_t place = 0; place < std::min(endOf(a), endOf(b)); ++place) {
    const StepRecord *first = stepAt(a, place), *second = stepAt(b, place);
    if (!first || !second || !first->bareDistance || !second->bareDistance) continue;
    const double one = first->bareDistance->linf, other = second->bareDistance->linf;
    if (std::abs(one - other) > kNear * std::max(one, other)) return false;
  }
  return true;
}

/// True if the bare passes see the same text and images. Method and strength are not
/// compared, because a bare pass has no patch; nor is the dtype.
bool haveSameText(const FigureRun& a, const FigureRun& b) {
  const RunHeader &own = *a.header, &other = *b.header;
  return other.modelName == own.modelName && other.request.prompt == own.request.prompt &&
         other.request.images == own.request.images &&
         other.request.absorbed == own.request.absorbed;
}

/// The runs that have a bare pass, grouped by the text that it sees.
std::vector<Group> groupedByText(const std::vector<FigureRun>& runs) {
  std::vector<Group> groups;
  for (const FigureRun& run : runs) {
    if (std::ranges::none_of(
            run.steps, [](const auto& step) { return step->bareDistance.has_value(); }))
      continue;
    const auto found = std::ranges::find_if(
        groups, [&](const Group& group) { return haveSameText(*group.front(), run); });
    if (found == groups.end())
      groups.push_back({&run});
    else
      found->push_back(&run);
  }
  return groups;
}

/// What tells the bare pass of a group's first run from others: nothing, its dtype, or
/// the run's name.
std::string nameIn(const Group& group, bool isOnly) {
  const FigureRun& own = *group.front();
  const bool shared = std::ranges::all_of(
      group, [&](const FigureRun* run) { return haveSameControl(own, *run); });
  if (isOnly && shared) return "bare pass";
  const bool hasOwnDType = std::ranges::any_of(group, [&](const FigureRun* run) {
    return run->header->dtype != own.header->dtype;
  });
  return "bare pass, " +
         (isOnly && hasOwnDType ? std::string(torchName(own.header->dtype)) : own.name);
}

}  // namespace

std::vector<FigureCurve> controlCurves(const std::vector<FigureRun>& runs,
                                       StepMeasure measure) {
  constexpr std::size_t kMost = 4;  // as many as references have dashes
  std::vector<Group> groups = groupedByText(runs);
  const bool isOnly = groups.size() == 1;
  if (groups.size() > kMost) groups.resize(1);
  std::vector<FigureCurve> curves;
  for (const Group& group : groups) {
    const FigureRun& run = *group.front();
    FigureCurve curve{.name = nameIn(group, isOnly),
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
