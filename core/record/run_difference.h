// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace equipatch {

/// How two runs compare step by step.
struct RunDifference {
  std::size_t commonSteps = 0;  ///< steps that both have
  /// The first step after which the runs continue with different tokens.
  std::optional<std::size_t> firstDivergentStep;
  std::size_t matchDifferences = 0;  ///< common steps whose `match` differs
  double medianLinfA = 0.0;  ///< median L∞ of the patched pass over the common steps
  double medianLinfB = 0.0;
};

/// True if the runs continue with different tokens after the step, their patched passes
/// choose different ones, or only one of these agrees with its contextual pass.
bool differs(const StepRecord& a, const StepRecord& b);

RunDifference differenceOf(const Steps& a, const Steps& b);

/// A sentence or two for people.
std::string inWords(const RunDifference& difference, const Steps& a, const Steps& b);

/// Names what the runs do not share besides settings, in a sentence such as "The prompts
/// differ."; empty if models, weights and prompts are the same.
std::string differentOrigins(const RunHeader& a, const RunHeader& b);

}  // namespace equipatch
