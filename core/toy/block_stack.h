// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/toy/layers.h"

namespace equipatch::toy {

/// One block: v = LN_1(x + attention), out = LN_2(v + MLP(v)) [Vaswani et al.].
class StackBlock {
 public:
  StackBlock(const AttentionShape& attention, std::int64_t hidden, Random& random,
             at::ScalarType dtype);

  /// v of whole sequences x [B, N, width] under causal attention.
  Tensor mid(const Tensor& x) const;
  /// v [B, width] of the last token of each sequence x [B, N, width].
  Tensor midOfLast(const Tensor& x) const;
  /// v of tokens x [rows, width]; each token attends only to itself.
  Tensor midAlone(const Tensor& x) const;
  Tensor out(const Tensor& v) const { return outFrom(v, m_mlp.forward(v)); }
  Tensor outFrom(const Tensor& v, const Tensor& mlpOut) const {
    return m_outputNorm.forward(v + mlpOut);
  }

  const Mlp& mlp() const { return m_mlp; }
  std::vector<Tensor> parameters() const;

 private:
  MultiHeadAttention m_attention;
  LayerNorm m_attentionNorm;
  Mlp m_mlp;
  LayerNorm m_outputNorm;
};

struct StackShape {
  std::int64_t blocks = 10;     ///< at least 1
  std::int64_t columnSize = 3;  ///< elements of a token before the embedding
  std::int64_t width = 32;
  std::int64_t heads = 8;
  std::int64_t hidden = 128;
};

/// An embedding, blocks and a linear readout.
class BlockStack {
 public:
  BlockStack(const StackShape& shape, Random& random, at::ScalarType dtype);

  const std::vector<StackBlock>& blocks() const { return m_blocks; }
  std::vector<Tensor> parameters() const;

  /// columns [..., columnSize] → [..., width]
  Tensor embed(const Tensor& columns) const { return at::linear(columns, m_embedding); }
  /// Output of the last block [..., width] → answers [...]
  Tensor answer(const Tensor& x) const { return at::linear(x, m_readout).squeeze(-1); }
  /// columns [B, N + 1, columnSize] → answers [B] to the last columns, the queries.
  Tensor predict(const Tensor& columns) const;

 private:
  Tensor m_embedding;  ///< [width, columnSize]
  std::vector<StackBlock> m_blocks;
  Tensor m_readout;  ///< [1, width]
};

/// Activations of every block, each [..., width].
struct StackSites {
  std::vector<Tensor> mids;  ///< v of StackBlock
  std::vector<Tensor> outs;
};

/// columns [B, N, columnSize] → sites [B, N, width] under causal attention.
StackSites contextualSites(const BlockStack& stack, const Tensor& columns);

/// One block's patches, one row per token: W_in + u wᵀ and b_down + bias.
struct BlockPatch {
  Tensor u;     ///< [rows, hidden]
  Tensor w;     ///< [rows, width]
  Tensor bias;  ///< [rows, width]
};

struct PatchedStack {
  std::vector<BlockPatch> updates;
  std::vector<Tensor> outs;  ///< [rows, width] of every block
};

/// Theorem B.2 of [D] block by block: every token passes alone, from its own embedding,
/// through blocks with ΔW = W_in (v_C − v) vᵀ / ‖v‖² and Δb_down = v_C − v. The patched
/// pass computes v. Therefore each patch also compensates for the difference between the
/// block's inputs in the two passes [Innocenti and Achour, arXiv 2512.11255].
/// @param columns [rows, columnSize]
/// @param contextMids v_C of the same tokens with their context, each [rows, width]
PatchedStack patchedStack(const BlockStack& stack, const Tensor& columns,
                          const std::vector<Tensor>& contextMids);

}  // namespace equipatch::toy
