// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/ids.h"

namespace equipatch {

/// How the next token is chosen from logits: greedily if the temperature is 0 or less,
/// otherwise by the Gumbel-max rule, which takes the largest logit/temperature + noise
/// of the tokens that topK and topP keep. The noise is a function of seed, step and token
/// alone, so two passes of a step choose different tokens only where their logits differ.
struct Sampling {
  double temperature = 0.0;
  std::int64_t topK = 0;  ///< keep the K most likely tokens; 0: all
  double topP = 1.0;      ///< of these keep the fewest whose probabilities add up to P
  std::uint64_t seed = 0;

  bool operator==(const Sampling&) const = default;
};

/// The chosen token. Ties go to the smaller id. A NaN logit is chosen only if all are
/// NaN: then id 0.
TokenId chooseToken(std::span<const float> logits, const Sampling& sampling,
                    StepIndex step);
TokenId chooseToken(std::span<const double> logits, const Sampling& sampling,
                    StepIndex step);

}  // namespace equipatch
