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

/// A run on an axis of steps. The run outlives it.
struct RunSide {
  PlacedRun run;
  std::int64_t begins = 0;  ///< the place of the run's first step

  std::int64_t end() const { return begins + std::ssize(*run.steps); }
  /// The record of a step of the axis; null where the run has none.
  const StepRecord* stepAt(std::int64_t step) const;
  /// The token that the run's prompt holds for a step of the axis before the run's first
  /// one; empty for all other steps. Only branches have such steps.
  std::string inheritedAt(std::int64_t step) const;
};

/// Two runs on one axis of steps. Where one or both are branches and their earliest
/// ancestors have the same model, images and prompt, steps are counted from the end of
/// that prompt. Other runs begin at 0, and so do branches with equal prompts.
struct RunPair {
  RunSide a, b;
  bool areRelated = false;  ///< steps are numbered as in one run

  /// The first step that one of the runs has.
  std::int64_t begin() const { return a.begins < b.begins ? a.begins : b.begins; }
  /// One after the last step that one of the runs has.
  std::int64_t end() const { return a.end() < b.end() ? b.end() : a.end(); }
  /// True where both runs have a step that `differs`.
  bool differsAt(std::int64_t step) const;
};

RunPair pairOf(const PlacedRun& a, const PlacedRun& b);

/// How two runs compare step by step.
struct RunDifference {
  /// The first step that both runs have; without common steps, where the later one
  /// begins.
  std::int64_t firstStep = 0;
  std::size_t commonSteps = 0;
  /// The first step that the runs continue with different tokens. For related runs it is
  /// usually before firstStep, because the token is in the branch's prompt; it may also
  /// be a step of that prompt that the other run did not reach.
  std::optional<std::size_t> firstDivergentStep;
  std::size_t matchDifferences = 0;  ///< common steps whose `match` differs
  // Medians of L∞ over the common steps; 0 without any.
  double medianLinfA = 0.0;  ///< of the patched pass
  double medianLinfB = 0.0;
  std::optional<double> medianBareA, medianBareB;  ///< of the bare pass, where it ran
};

/// True if the runs continue with different tokens after the step, their patched passes
/// choose different ones, or only one of these agrees with its contextual pass.
bool differs(const StepRecord& a, const StepRecord& b);

RunDifference differenceOf(const RunPair& runs);

/// One to three sentences for people. They call a run a branch of the other only if its
/// file names the other's file; of other runs with equal tokens they say just that.
std::string inWords(const RunDifference& difference, const RunPair& runs);

/// "Median L∞ over the 8 common steps: patched pass A 0.01, B 0.02; bare pass A 17, B
/// 12."; empty without common steps.
std::string medianSentence(const RunDifference& difference);

/// Says in a sentence whether models, weights or prompts differ: "The prompts differ."
/// Models with different names and equal files do not differ; a sentence of its own tells
/// their names. Empty where there is nothing to say. Prompts of related runs are not
/// compared, because that of a branch is longer.
std::string differentOrigins(const RunPair& runs);

}  // namespace equipatch
