// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/token_axis.h"

#include <algorithm>

#include "core/figure/step_panels.h"
#include "core/record/step_record.h"

namespace equipatch {
namespace {

constexpr const char* kDifferent = "≠";

/// The token that the runs generated at a place; ≠ where they differ.
std::string tokenAt(const std::vector<FigureRun>& runs, std::int64_t place,
                    TokenSpaces spaces) {
  const StepRecord* first = nullptr;
  for (const FigureRun& run : runs) {
    const StepRecord* step = stepAt(run, place);
    if (step && first && step->continued != first->continued) return kDifferent;
    if (!first) first = step;
  }
  return first ? tokenLabel(*first, spaces) : std::string();
}

std::vector<std::string> tokenNames(const std::vector<FigureRun>& runs,
                                    TokenSpaces spaces) {
  std::vector<std::string> names;
  for (std::int64_t place = 0; place < endOf(runs); ++place)
    names.push_back(tokenAt(runs, place, spaces));
  return names;
}

}  // namespace

const StepRecord* stepAt(const FigureRun& run, std::int64_t place) {
  const std::int64_t step = place - run.begins;
  const bool taken = step >= 0 && step < static_cast<std::int64_t>(run.steps.size());
  return taken ? run.steps[static_cast<std::size_t>(step)].get() : nullptr;
}

std::int64_t endOf(const FigureRun& run) {
  return run.begins + static_cast<std::int64_t>(run.steps.size());
}

std::int64_t endOf(const std::vector<FigureRun>& runs) {
  std::int64_t end = 0;
  for (const FigureRun& run : runs) end = std::max(end, endOf(run));
  return end;
}

bool haveSameTokens(const std::vector<FigureRun>& runs) {
  return std::ranges::count(tokenNames(runs, TokenSpaces::Omitted), kDifferent) == 0;
}

FigureAxis tokenAxis(const std::vector<FigureRun>& runs, TokenSpaces spaces) {
  FigureAxis axis{
      .label = "generated token", .counts = true, .names = tokenNames(runs, spaces)};
  const auto different = std::ranges::count(axis.names, kDifferent);
  if (2 * different > std::ssize(axis.names)) return {.label = "step", .counts = true};
  if (different > 0) axis.label += " (≠: not the same in all runs)";
  return axis;
}

}  // namespace equipatch
