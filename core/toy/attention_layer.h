#pragma once

#include "core/toy/contextual_layer.h"
#include "core/toy/multi_head_attention.h"

namespace equipatch::toy {

/// Attention of the query over context and itself: no positions, no norm, no skip.
class AttentionLayer final : public ContextualLayer {
 public:
  AttentionLayer(const AttentionShape& shape, Random& random, at::ScalarType dtype);

  Tensor withContext(const Tensor& columns) const override;
  Tensor withPrefixes(const Tensor& columns) const override;
  /// A(c_{i+1} … c_N, x) for i = 0 … N: [B, N + 1, width].
  Tensor withSuffixes(const Tensor& columns) const;
  std::vector<Tensor> parameters() const override { return m_attention.parameters(); }
  const MultiHeadAttention& attention() const { return m_attention; }

 private:
  Tensor withParts(const Tensor& columns, const Tensor& allowed) const;

  MultiHeadAttention m_attention;
};

}  // namespace equipatch::toy
