#include "trainer/network/loss_loops.h"

#include <algorithm>
#include <cmath>

#include "trainer/network/bfloat.h"

namespace equipatch {

template <typename Element>
void crossEntropy(std::int64_t vocabulary, std::span<const std::int32_t> successors,
                  float gradientScale, Element* logits, float* losses) {
  for (const std::int32_t successor : successors) {
    float largest = logits[0];
    for (std::int64_t i = 0; i < vocabulary; ++i)
      largest = std::max<float>(largest, logits[i]);
    float sum = 0;
    for (std::int64_t i = 0; i < vocabulary; ++i) sum += std::exp(logits[i] - largest);
    const float logSum = largest + std::log(sum);
    *losses++ = logSum - logits[successor];
    if (gradientScale != 0) {
      const float probability = std::exp(logits[successor] - logSum);
      for (std::int64_t i = 0; i < vocabulary; ++i)
        logits[i] = gradientScale * std::exp(logits[i] - logSum);
      logits[successor] = gradientScale * (probability - 1);
    }
    logits += vocabulary;
  }
}

template void crossEntropy(std::int64_t, std::span<const std::int32_t>, float, float*,
                           float*);
template void crossEntropy(std::int64_t, std::span<const std::int32_t>, float, Bfloat*,
                           float*);

}  // namespace equipatch
