// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "core/record/branch.h"
#include "core/record/run_record.h"

namespace equipatch {

/// A run placed on an axis of steps. The run must outlive this object.
struct RunSide {
  PlacedRun run;
  std::int64_t begins = 0;  ///< place of the run's first step on the axis

  std::int64_t end() const { return begins + std::ssize(*run.steps); }
  /// @param step on the axis. @returns null where the run has no such step
  const StepRecord* stepAt(std::int64_t step) const;
  /// The text of the token of a step before `begins`: a branch's prompt ends with these
  /// tokens. Empty for other steps.
  std::string inheritedAt(std::int64_t step) const;
};

/// Two runs on one axis of steps. Steps of related runs are counted from the end of the
/// prompt of their earliest ancestors; unrelated runs both begin at 0.
struct RunPair {
  RunSide a, b;
  /// At least one run is a branch, the earliest ancestors of A and B have the same model,
  /// images and prompt, and the prompts of A and B differ.
  bool areRelated = false;

  /// The first step of the run that begins earlier.
  std::int64_t begin() const { return a.begins < b.begins ? a.begins : b.begins; }
  /// One after the last step of the run that ends later.
  std::int64_t end() const { return a.end() < b.end() ? b.end() : a.end(); }
  /// As `differs`; false where a run lacks the step.
  bool differsAt(std::int64_t step) const;
};

RunPair pairOf(const PlacedRun& a, const PlacedRun& b);

struct RunDifference {
  /// The first step that both runs have; without common steps, the first step of the run
  /// that begins later.
  std::int64_t firstStep = 0;
  std::size_t commonSteps = 0;
  /// The first step at which the runs append different tokens. Related runs may diverge
  /// before `firstStep`: at a token of a branch's prompt, even at a step after the end of
  /// the other run.
  std::optional<std::size_t> firstDivergentStep;
  std::size_t matchDifferences = 0;  ///< common steps whose `match` differs
  // Medians of L∞ over the common steps; 0 without common steps.
  double medianLinfA = 0.0;  ///< of the patched pass
  double medianLinfB = 0.0;
  std::optional<double> medianBareA, medianBareB;  ///< of the bare pass, where it ran
};

/// True if the runs append different tokens at this step, if their patched passes choose
/// different tokens, or if the patched pass agrees with the contextual pass in one run
/// only.
bool differs(const StepRecord& a, const StepRecord& b);

RunDifference differenceOf(const RunPair& runs);

/// One to three sentences for people. They call a run a branch of the other run only if
/// its file names the other run's file.
std::string inWords(const RunDifference& difference, const RunPair& runs);

/// "Median L∞ over the 8 common steps: patched pass A 0.01, B 0.02; bare pass A 17, B
/// 12."; empty without common steps.
std::string medianSentence(const RunDifference& difference);

/// Says which of models, weights and prompts differ: "The prompts differ." Models whose
/// files have equal hashes count as the same model; if their names differ, a separate
/// sentence says so. Prompts of related runs always differ and are not compared.
/// @returns an empty text if there is nothing to say
std::string differentOrigins(const RunPair& runs);

}  // namespace equipatch
