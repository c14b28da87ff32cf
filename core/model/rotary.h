#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// Angular frequencies of the headDim/2 pairs, after the spec's scaling. In float32
/// unless `dtype` is float64, as the reference computes them: at large positions the
/// difference between a float32 and a float64 angle is visible in the logits.
std::vector<double> rotaryFrequencies(const RopeSpec& spec, std::int64_t headDim,
                                      DType dtype);

/// Rotation of queries and keys by their absolute positions, half-split pairs.
class Rotary {
 public:
  Rotary(const RopeSpec& spec, std::int64_t headDim, const Arithmetic& arithmetic);

  /// x [rows, heads, headDim], positions [rows] → rotated, unrounded.
  Tensor rotate(const Tensor& x, const Tensor& positions) const;

 private:
  Tensor m_frequencies;  ///< [headDim / 2], wide
};

}  // namespace equipatch
