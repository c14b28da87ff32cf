// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "trainer/network/network.h"

namespace equipatch {

/// A query, key or value of one head.
using HeadRow = std::array<float, kHeadDim>;

/// Attention of one layer over one document, without the projections: query and key
/// norms, rotary embedding, causal softmax, weighted sum of values. Keeps scratch memory
/// between calls; one thread at a time.
class DocumentAttention {
 public:
  /// Cosines and sines of the rotary embedding.
  struct Rotation {
    Rotation(const NetworkShape& shape, double period);
    std::vector<float> cosines;  ///< [positions, kHeadDim / 2]
    std::vector<float> sines;    ///< [positions, kHeadDim / 2]
  };

  struct Layer {
    const Rotation* rotation = nullptr;
    std::int64_t window = 0;  ///< tokens that a token attends to, itself included
    const float* queryNorm = nullptr;  ///< scale minus 1, [kHeadDim]; same for keyNorm
    const float* keyNorm = nullptr;

    std::int64_t firstKey(std::int64_t token) const {
      return std::max<std::int64_t>(0, token - window + 1);
    }
  };

  /// Gradients of the norm scales, [kHeadDim] each.
  struct NormGradients {
    float* query = nullptr;
    float* key = nullptr;
  };

  explicit DocumentAttention(const NetworkShape& shape) : m_shape(shape) {}

  /// qkv [tokens, query width + 2 · key width] → out [tokens, query width]. Here and in
  /// `backward`, `tokens` is at most maxPositions.
  template <typename Element>
  void forward(const Layer& layer, std::int64_t tokens, const Element* qkv, Element* out);

  /// Does not need a call of `forward`. Overwrites dQkv and adds to `gradients`.
  template <typename Element>
  void backward(const Layer& layer, std::int64_t tokens, const Element* qkv,
                const Element* dOut, Element* dQkv, const NormGradients& gradients);

 private:
  struct Head {
    std::vector<float> raw;  ///< [tokens, kHeadDim] as projected
    /// Queries and keys: normed and rotated; values: as projected.
    std::vector<float> value;
    std::vector<float> transposed;  ///< [kHeadDim, tokens rounded up to whole blocks]
    std::vector<float> gradient;    ///< [tokens, kHeadDim] of `value`
    std::vector<float> inverseRms;  ///< [tokens] 1 / rms
  };

  /// The first column in qkv of a query head's keys. The head's values begin keyWidth()
  /// columns later.
  std::int64_t keyColumn(std::int64_t head) const;
  /// Loads a head's queries and, for the first head of a group, the group's keys and
  /// values.
  template <typename Element>
  void loadHead(const Layer& layer, std::int64_t tokens, const Element* qkv,
                std::int64_t head);
  template <typename Element>
  void load(const Element* qkv, std::int64_t tokens, std::int64_t column, Head& head);
  void rotateNormed(const Layer& layer, const float* scale, std::int64_t tokens,
                    Head& head);
  void transpose(std::int64_t tokens, Head& head);
  /// Backward pass of rotation and norm, in place.
  void rotateNormedBackward(const Layer& layer, const float* scale, std::int64_t tokens,
                            Head& head, float* dScale);
  template <typename Element>
  void store(const Head& head, std::int64_t tokens, std::int64_t column, Element* dQkv);

  static HeadRow rowOf(const Head& head, std::int64_t token);
  /// Sets m_weights to the softmax of the query at `token` over the keys at positions
  /// `first` to `token`.
  void weigh(const HeadRow& query, std::int64_t first, std::int64_t token);
  HeadRow weightedValues(std::int64_t first, std::int64_t token) const;
  void backwardRow(std::int64_t token, std::int64_t first, const HeadRow& dRow);

  NetworkShape m_shape;
  Head m_query;
  Head m_key;
  Head m_value;
  std::vector<float> m_weights;   ///< [keys] of one query
  std::vector<float> m_dWeights;  ///< [keys]
};

}  // namespace equipatch
