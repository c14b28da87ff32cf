// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/token_axis.h"

#include <algorithm>

#include "core/figure/step_panels.h"
#include "core/record/context_effect.h"
#include "core/record/step_record.h"

namespace equipatch {
namespace {

constexpr const char* kDifferent = "≠";

/// The steps that the runs took at a place.
std::vector<const StepRecord*> stepsAt(const std::vector<FigureRun>& runs,
                                       std::int64_t place) {
  std::vector<const StepRecord*> steps;
  for (const FigureRun& run : runs)
    if (const StepRecord* step = stepAt(run, place)) steps.push_back(step);
  return steps;
}

bool haveDifferentTokens(const std::vector<const StepRecord*>& steps) {
  return std::ranges::any_of(steps, [&](const StepRecord* step) {
    return !continueAlike(*step, *steps.front());
  });
}

/// The number of places at which the runs generated different tokens. The labels "≠"
/// cannot be counted instead, because "≠" may also be a token.
std::int64_t differentPlaces(const std::vector<FigureRun>& runs) {
  std::int64_t different = 0;
  const std::int64_t end = endOf(runs);
  for (std::int64_t place = 0; place < end; ++place)
    different += haveDifferentTokens(stepsAt(runs, place));
  return different;
}

/// The token that the runs generated at a place; ≠ where they differ.
std::string tokenAt(const std::vector<FigureRun>& runs, std::int64_t place,
                    TokenSpaces spaces) {
  const std::vector<const StepRecord*> steps = stepsAt(runs, place);
  if (haveDifferentTokens(steps)) return kDifferent;
  return steps.empty() ? std::string() : tokenLabel(*steps.front(), spaces);
}

std::vector<std::string> tokenNames(const std::vector<FigureRun>& runs,
                                    TokenSpaces spaces) {
  std::vector<std::string> names;
  const std::int64_t end = endOf(runs);
  for (std::int64_t place = 0; place < end; ++place)
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
  return differentPlaces(runs) == 0;
}

FigureAxis tokenAxis(const std::vector<FigureRun>& runs, TokenSpaces spaces) {
  const std::int64_t different = differentPlaces(runs);
  if (2 * different > endOf(runs)) return {.label = "step", .counts = true};
  FigureAxis axis{
      .label = "generated token", .counts = true, .names = tokenNames(runs, spaces)};
  if (different > 0) axis.label += " (≠: not the same in all runs)";
  return axis;
}

}  // namespace equipatch
