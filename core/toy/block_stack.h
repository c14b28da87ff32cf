#pragma once

#include <vector>

#include "core/toy/mlp.h"
#include "core/toy/multi_head_attention.h"

namespace equipatch::toy {

/// LayerNorm over the last dimension, with scale and bias.
struct LayerNorm {
  LayerNorm(std::int64_t width, at::ScalarType dtype);

  Tensor forward(const Tensor& x) const;

  Tensor scale, bias;  ///< [width]
};

/// v = LN_1(x + attention), out = LN_2(v + MLP(v)) [Vaswani et al.].
class StackBlock {
 public:
  StackBlock(const AttentionShape& attention, std::int64_t hidden, Random& random,
             at::ScalarType dtype);

  /// v of whole sequences x [B, N, width], each token seeing those before it and itself.
  Tensor mid(const Tensor& x) const;
  /// v of the last token of each sequence x [B, N, width], which sees them all.
  Tensor midOfLast(const Tensor& x) const;
  /// v of tokens x [rows, width] that see only themselves.
  Tensor midAlone(const Tensor& x) const;
  Tensor out(const Tensor& v) const { return outFrom(v, m_mlp.forward(v)); }
  /// What closes the block when the MLP gave `branch`.
  Tensor outFrom(const Tensor& v, const Tensor& branch) const {
    return m_close.forward(v + branch);
  }

  const Mlp& mlp() const { return m_mlp; }
  std::vector<Tensor> parameters() const;

 private:
  MultiHeadAttention m_attention;
  LayerNorm m_middle;
  Mlp m_mlp;
  LayerNorm m_close;
};

struct StackShape {
  std::int64_t blocks = 10;
  std::int64_t columnSize = 3;  ///< numbers of a token
  std::int64_t width = 32;
  std::int64_t heads = 8;
  std::int64_t hidden = 128;
};

/// An embedding, blocks, and an answer read from the last one.
class BlockStack {
 public:
  BlockStack(const StackShape& shape, Random& random, at::ScalarType dtype);

  const std::vector<StackBlock>& blocks() const { return m_blocks; }
  std::vector<Tensor> parameters() const;

  /// columns [..., columnSize] → [..., width]
  Tensor embed(const Tensor& columns) const { return at::linear(columns, m_embedding); }
  /// out of the last block [..., width] → answers [...]
  Tensor answer(const Tensor& x) const { return at::linear(x, m_readout).squeeze(-1); }
  /// Answers [B] to the queries of columns [B, N + 1, columnSize].
  Tensor predict(const Tensor& columns) const;

 private:
  Tensor m_embedding;  ///< [width, columnSize]
  std::vector<StackBlock> m_blocks;
  Tensor m_readout;  ///< [1, width]
};

}  // namespace equipatch::toy
