#pragma once

#include <cstdint>
#include <span>

namespace equipatch {

/// Cross entropy of each row of logits [rows, vocabulary] against the id that follows:
/// losses[row] = −log softmax(logits)[successor]. When `gradientScale` is not 0 the
/// logits are overwritten with gradientScale · ∂loss/∂logits.
template <typename Element>
void crossEntropy(std::int64_t vocabulary, std::span<const std::int32_t> successors,
                  float gradientScale, Element* logits, float* losses);

}  // namespace equipatch
