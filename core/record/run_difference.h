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

/// A run on an axis of steps. The run must outlive this object.
struct RunSide {
  PlacedRun run;
  std::int64_t begins = 0;  ///< where the run's first step is on the axis

  std::int64_t end() const { return begins + std::ssize(*run.steps); }
  /// The run's record for a step of the axis; null where the run has no such step.
  const StepRecord* stepAt(std::int64_t step) const;
  /// The prompt of a branch ends with the tokens of the steps before `begins`. Returns
  /// the text of such a step's token; empty for all other steps and for runs that are no
  /// branch.
  std::string inheritedAt(std::int64_t step) const;
};

/// Two runs on one axis of steps. They are related if at least one is a branch, their
/// earliest ancestors have the same model, images and prompt, and their own prompts
/// differ. Steps of related runs are counted from the end of the ancestors' prompt.
/// Unrelated runs both begin at 0.
struct RunPair {
  RunSide a, b;
  bool areRelated = false;  ///< steps are numbered as in one run

  /// The first step that one of the runs has.
  std::int64_t begin() const { return a.begins < b.begins ? a.begins : b.begins; }
  /// One after the last step that one of the runs has.
  std::int64_t end() const { return a.end() < b.end() ? b.end() : a.end(); }
  /// True if both runs have this step and the two records differ (see `differs`).
  bool differsAt(std::int64_t step) const;
};

RunPair pairOf(const PlacedRun& a, const PlacedRun& b);

/// How two runs compare step by step.
struct RunDifference {
  /// The first step that both runs have; without common steps, the first step of the run
  /// that begins later.
  std::int64_t firstStep = 0;
  std::size_t commonSteps = 0;
  /// The first step that the runs continue with different tokens. For related runs this
  /// step is usually before firstStep, because the branch's prompt holds its token. It
  /// may also be a step that only the branch's prompt has, because the other run ended
  /// earlier.
  std::optional<std::size_t> firstDivergentStep;
  std::size_t matchDifferences = 0;  ///< common steps whose `match` differs
  // Medians of L∞ over the common steps; 0 without common steps.
  double medianLinfA = 0.0;  ///< of the patched pass
  double medianLinfB = 0.0;
  std::optional<double> medianBareA, medianBareB;  ///< of the bare pass, where it ran
};

/// True if the runs continue the step with different tokens, if their patched passes
/// choose different tokens, or if the patched pass agrees with the contextual pass in one
/// run only.
bool differs(const StepRecord& a, const StepRecord& b);

RunDifference differenceOf(const RunPair& runs);

/// One to three sentences for people. They call a run a branch of the other only if its
/// file names the other's file. For other related runs they only say up to which step the
/// tokens are equal.
std::string inWords(const RunDifference& difference, const RunPair& runs);

/// "Median L∞ over the 8 common steps: patched pass A 0.01, B 0.02; bare pass A 17, B
/// 12."; empty without common steps.
std::string medianSentence(const RunDifference& difference);

/// Says in a sentence whether models, weights or prompts differ: "The prompts differ."
/// Models with equal files count as the same model; if their names differ, a second
/// sentence gives both names. Empty if nothing differs. Prompts of related runs are not
/// compared, because a branch always has a longer prompt than its parent.
std::string differentOrigins(const RunPair& runs);

}  // namespace equipatch
