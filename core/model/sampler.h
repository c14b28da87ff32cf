// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/ids.h"

namespace equipatch {

/// How a token is chosen from logits: greedily if the temperature is 0 or less, otherwise
/// by the Gumbel-max trick, which takes the largest logit / temperature + noise among
/// the tokens that topK and topP keep. The noise depends on seed, step and token alone,
/// so two passes of a step choose the same token if their logits are equal.
struct Sampling {
  double temperature = 0.0;
  std::int64_t topK = 0;  ///< keep the K most likely tokens; 0: all
  double topP = 1.0;      ///< of these, the fewest whose probabilities sum to P or more
  std::uint64_t seed = 0;

  bool operator==(const Sampling&) const = default;
};

/// Ties go to the smaller id. NaN logits are ignored; without others, the token is 0.
TokenId chooseToken(std::span<const float> logits, const Sampling& sampling,
                    StepIndex step);
TokenId chooseToken(std::span<const double> logits, const Sampling& sampling,
                    StepIndex step);

}  // namespace equipatch
