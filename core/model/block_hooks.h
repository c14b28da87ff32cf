// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/checkpoint/layer_spec.h"
#include "core/model/norm.h"
#include "core/model/weights.h"

namespace equipatch {

/// The block that calls a hook, and its arithmetic.
struct HookedBlock {
  LayerIndex layer;
  const LayerWeights& weights;
  const OuterFunction& outer;
  const Arithmetic& arithmetic;
};

/// A block's activations, all [rows, width]. The names are TransformerLens's, but mlp_in
/// is after the norm here, and attn_out and mlp_out are before post-norms.
struct BlockSites {
  Tensor resid_pre;
  Tensor attn_out;   ///< before any post-norm and residual
  Tensor resid_mid;  ///< v in the papers
  Tensor mlp_in;     ///< after the norm; z in the papers
  Tensor mlp_out;    ///< before any post-norm and residual
  Tensor resid_post;
};

/// A row's index in a product; nullopt if the row takes no part in it.
using RowIndex = std::optional<std::int64_t>;

/// The product of a matrix of an MLP with rows of the batch: for a routed expert, the
/// rows that are routed to it; otherwise all rows.
struct Product {
  MatrixId id;
  const Linear& linear;
  Tensor input;                    ///< [n, inputs]
  Tensor output;                   ///< [n, outputs], wide and not yet rounded
  std::vector<std::int64_t> rows;  ///< [n] the inputs' rows in the batch; empty: all

  RowIndex indexOf(std::int64_t row) const;
};

/// A down projection's product, not yet multiplied by its gates. `output` includes the
/// bias, except in a dense MLP without experts, where it is added later (`biasAfter`).
struct DownProduct : Product {
  Tensor gates;  ///< [n], wide; undefined in a dense MLP

  double gate(std::int64_t index) const {
    return gates.defined() ? gates[index].item<double>() : 1.0;
  }
};

/// Σ gate · W_down h of one row [1, width], wide, summed in the block's order. The sum
/// excludes `biasAfter` and a dense MLP that runs beside experts.
Tensor sumOf(const std::vector<DownProduct>& down, std::int64_t row);

/// The bias that is added to the sum: that of the down projection of a dense MLP without
/// experts. Undefined if there is none. @param down not empty
const Tensor& biasAfter(const std::vector<DownProduct>& down);

/// One row's two branches [1, width] where a dense MLP runs beside the experts.
struct BesideBranches {
  Tensor dense;    ///< W_down h, wide, before its norm
  Tensor experts;  ///< Σ gate · W_down h after its norm
};
BesideBranches besideBranches(const HookedBlock& block,
                              const std::vector<DownProduct>& down, std::int64_t row);

/// One row's mlp_out [1, width], wide and not rounded: Σ gate · W_down h + b, or the sum
/// of the two branches after their norms.
Tensor mlpOutputOf(const HookedBlock& block, const std::vector<DownProduct>& down,
                   std::int64_t row);

/// Hooks that a block calls, named by site. They may change rows, such as the patched
/// row. A block calls them in the order of declaration, on the computing thread. The
/// defaults do nothing.
class BlockHooks {
 public:
  virtual ~BlockHooks() = default;

  /// resid_mid and mlp_in [rows, width], before the input projections.
  virtual void hookMlpIn(const HookedBlock&, const Tensor& /*resid_mid*/,
                         const Tensor& /*mlp_in*/) {}
  /// W input + b of an input projection. Routers are input projections, too; a router's
  /// hook is called before those of its experts.
  virtual void hookInProjection(const HookedBlock&, Product&) {}
  /// W_down h of every expert in use, then of the dense MLP, if the block has one.
  virtual void hookDownProjection(const HookedBlock&, std::vector<DownProduct>&) {}
  /// `biasAfter`, expanded to [rows, width]; called only if there is one, so not for the
  /// biases of experts. It is a view of the weights: replace the tensor, do not write to
  /// it.
  virtual void hookOutBias(const HookedBlock&, Tensor& /*bias*/) {}
  /// n and branch = n ⊙ m [+ b] [rows, width] of the norm after a dense MLP beside
  /// experts.
  virtual void hookDenseScale(const HookedBlock&, const Tensor& /*n*/,
                              Tensor& /*branch*/) {}
  /// n and branch = n ⊙ m [+ b] [rows, width], if the block closes with a norm's scale.
  virtual void hookOutScale(const HookedBlock&, const Tensor& /*n*/, Tensor& /*branch*/) {
  }
  /// All sites of the finished block; resid_post may be changed.
  virtual void hookResidPost(const HookedBlock&, BlockSites&) {}
  /// The next block's input [rows, width], see Block::forward.
  virtual void hookOutput(const HookedBlock&, const Tensor& /*output*/) {}
};

/// Calls several sets of hooks in the order given. They must outlive this.
class HookChain final : public BlockHooks {
 public:
  explicit HookChain(std::vector<BlockHooks*> hooks);

  void hookMlpIn(const HookedBlock& block, const Tensor& resid_mid,
                 const Tensor& mlp_in) override;
  void hookInProjection(const HookedBlock& block, Product& product) override;
  void hookDownProjection(const HookedBlock& block,
                          std::vector<DownProduct>& down) override;
  void hookOutBias(const HookedBlock& block, Tensor& bias) override;
  void hookDenseScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookResidPost(const HookedBlock& block, BlockSites& sites) override;
  void hookOutput(const HookedBlock& block, const Tensor& output) override;

 private:
  std::vector<BlockHooks*> m_hooks;
};

}  // namespace equipatch
