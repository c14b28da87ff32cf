#pragma once

#include <vector>

#include "core/toy/block_stack.h"

namespace equipatch::toy {

/// Activations of every block, each [..., width].
struct StackSites {
  std::vector<Tensor> mids;  ///< v, between attention and MLP
  std::vector<Tensor> outs;
};

/// Whole sequences with their context: columns [B, N, columnSize] → sites [B, N, width].
StackSites contextualSites(const BlockStack& stack, const Tensor& columns);

/// What stands for the context in one block, a row a token: W_in + u wᵀ, b_down + bias.
struct BlockUpdate {
  Tensor u;     ///< [rows, hidden]
  Tensor w;     ///< [rows, width]
  Tensor bias;  ///< [rows, width]
};

struct PatchedStack {
  std::vector<BlockUpdate> updates;
  std::vector<Tensor> outs;  ///< [rows, width] of every block
};

/// Theorem B.2 of [D] block by block: every token alone, from its own embedding, through
/// blocks with ΔW = W_in (v_C − v) vᵀ / ‖v‖² and Δb_down = v_C − v, where v is its own,
/// so that the difference of a later block's input is taken in [Innocenti and Achour].
/// @param columns [rows, columnSize]
/// @param contextMids v_C of the same tokens with their context, each [rows, width]
PatchedStack patchedStack(const BlockStack& stack, const Tensor& columns,
                          const std::vector<Tensor>& contextMids);

}  // namespace equipatch::toy
