#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/step_record.h"

namespace equipatch {

/// How two runs compare step by step.
struct RunDifference {
  std::size_t common = 0;  ///< steps that both have
  /// First of them that the runs go on from with different tokens. From the next step on
  /// their contexts differ.
  std::optional<std::size_t> parting;
  std::size_t verdicts = 0;  ///< common steps at which one patched pass agrees, one not
  double medianLinfA = 0.0;  ///< of the patched pass, over the common steps
  double medianLinfB = 0.0;
};

using Steps = std::vector<std::shared_ptr<const StepRecord>>;

/// Whether the runs go on from a step with different tokens, or only one patched pass
/// agrees there.
bool differs(const StepRecord& a, const StepRecord& b);

RunDifference differenceOf(const Steps& a, const Steps& b);

/// A sentence or two for people.
std::string inWords(const RunDifference& difference, const Steps& a, const Steps& b);

}  // namespace equipatch
