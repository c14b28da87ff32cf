#pragma once

#include <cstdint>
#include <span>

#include "core/base/ids.h"

namespace equipatch {

/// How the next token is chosen from logits. Greedy when temperature is 0.
///
/// Otherwise by the Gumbel-max rule: the token with the largest logit/temperature +
/// noise, the noise a function of seed, step and token alone. Two passes of a step that
/// are sampled with the same noise differ only where their logits do.
struct Sampling {
  double temperature = 0.0;
  std::int64_t topK = 0;  ///< keep the K most likely; 0: all
  double topP = 1.0;      ///< keep the fewest whose probabilities reach P
  std::uint64_t seed = 0;

  bool operator==(const Sampling&) const = default;
};

/// Ties go to the smaller id. NaN logits are never chosen while there is another.
TokenId chooseToken(std::span<const float> logits, const Sampling& sampling,
                    StepIndex step);
TokenId chooseToken(std::span<const double> logits, const Sampling& sampling,
                    StepIndex step);

}  // namespace equipatch
