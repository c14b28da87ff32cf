// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace equipatch {

struct RankedLogit {
  std::int64_t index = 0;  ///< in the row
  double logit = 0.0;
};

struct LogitSummary {
  /// NaN if a logit is NaN; ±∞ if the largest logit is; −∞ for an empty row.
  double logSumExp = 0.0;
  /// Descending; equal logits by ascending index. NaN is replaced by −∞.
  std::vector<RankedLogit> top;
  bool finite = true;  ///< false when any logit is NaN or infinite

  double probability(double logit) const;  ///< exp(logit − logSumExp)
};

/// @param topCount length of `top`; clamped to between 0 and the number of logits
LogitSummary summariseLogits(std::span<const float> logits, std::int64_t topCount);
LogitSummary summariseLogits(std::span<const double> logits, std::int64_t topCount);

/// Distance between two rows of logits a and b; p is the softmax of a, q of b. All three
/// values are NaN if p or q is undefined: if a or b contains NaN or +∞, or only −∞.
struct LogitDistance {
  double linf = 0.0;  ///< max |a − b|, where two equal infinities differ by 0
  double tvd = 0.0;   ///< total variation ½ Σ |p − q|, in [0, 1]
  double kl = 0.0;    ///< KL(p ‖ q) = Σ p (log p − log q) in nats, ≥ 0

  bool operator==(const LogitDistance&) const = default;
};

/// @param logSumExpA, logSumExpB as `summariseLogits` computes them for a and b
/// @throws Error{BadInput} when a and b differ in length
LogitDistance compareLogits(std::span<const float> a, double logSumExpA,
                            std::span<const float> b, double logSumExpB);
LogitDistance compareLogits(std::span<const double> a, double logSumExpA,
                            std::span<const double> b, double logSumExpB);

}  // namespace equipatch
