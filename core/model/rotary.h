#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// Angular frequencies of the dims/2 pairs, after the spec's scaling. In float32 unless
/// `dtype` is float64, as the reference computes them: at large positions the difference
/// between a float32 and a float64 angle is visible in the logits.
/// @param sequence length of the text so far; only Dynamic scaling looks at it, which
///        stretches its base as the text outgrows the original positions.
std::vector<double> rotaryFrequencies(const RopeSpec& spec, std::int64_t sequence,
                                      DType dtype);

/// Where a rotation is asked for.
struct RotaryPositions {
  Tensor rows;                ///< absolute position of each row [rows], wide
  std::int64_t sequence = 0;  ///< length of the text they are part of
};

/// The angles of those positions, for queries and keys alike.
struct RotaryEmbedding {
  Tensor cosine, sine;  ///< [rows, dims / 2], wide, with the spec's magnitude
};

/// Rotation of queries and keys by their absolute positions.
class Rotary {
 public:
  Rotary(const RopeSpec& spec, const Arithmetic& arithmetic);

  RotaryEmbedding embedding(const RotaryPositions& positions) const;
  /// x [rows, heads, headDim] → its first dims components rotated, unrounded.
  Tensor rotate(const Tensor& x, const RotaryEmbedding& embedding) const;
  Tensor rotate(const Tensor& x, const RotaryPositions& positions) const {
    return rotate(x, embedding(positions));
  }

 private:
  Tensor frequencies(std::int64_t sequence) const;
  Tensor rotateOnHost(const Tensor& x, const RotaryEmbedding& embedding) const;

  RopeSpec m_spec;
  DType m_dtype;
  Tensor m_frequencies;  ///< [dims / 2], wide, of a text within the original positions
};

}  // namespace equipatch
