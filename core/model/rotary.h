// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// Angular frequencies of the dims/2 pairs, after the spec's scaling. Rounded to float32,
/// as in transformers, unless `dtype` is float64: at large positions the difference
/// between a float32 and a float64 angle shows in the logits.
/// @param sequence length of the text (RowBatch::textLength), which Dynamic and LongRope
///        scaling depend on
std::vector<double> rotaryFrequencies(const RopeSpec& spec, std::int64_t sequence,
                                      DType dtype);

/// True if a text of `b` tokens can use the cached keys of a text of `a` tokens. LongRope
/// uses other frequencies for all tokens of a text longer than the original positions.
/// Dynamic scaling changes the frequencies too, but transformers keeps the cached keys.
bool rotatesAlike(const RopeSpec& spec, std::int64_t a, std::int64_t b);

struct RotaryPositions {
  Tensor rows;                ///< absolute position of each row [rows], floating-point
  std::int64_t sequence = 0;  ///< length of the text that contains the rows
};

struct RotaryEmbedding {
  Tensor cosine, sine;  ///< [rows, dims / 2], wide, times the spec's magnitude
};

/// Rotary position embedding (RoPE) of queries and keys.
class Rotary {
 public:
  Rotary(const RopeSpec& spec, const Arithmetic& arithmetic);

  RotaryEmbedding embedding(const RotaryPositions& positions) const;
  /// x [rows, heads, headDim] → x with the first dims components of each head rotated,
  /// wide and unrounded.
  Tensor rotate(const Tensor& x, const RotaryEmbedding& embedding) const;
  Tensor rotate(const Tensor& x, const RotaryPositions& positions) const {
    return rotate(x, embedding(positions));
  }

 private:
  Tensor frequencies(std::int64_t sequence) const;
  Tensor rotateOnHost(const Tensor& x, const RotaryEmbedding& embedding) const;

  RopeSpec m_spec;
  DType m_dtype;
  Tensor m_frequencies;  ///< [dims / 2], wide, for texts within the original positions
};

}  // namespace equipatch
