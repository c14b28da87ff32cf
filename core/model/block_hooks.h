// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/checkpoint/layer_spec.h"
#include "core/model/norm.h"
#include "core/model/weights.h"

namespace equipatch {

/// The block that calls a hook.
struct HookedBlock {
  LayerIndex layer;
  const LayerWeights& weights;
  const OuterFunction& outer;
  const Arithmetic& arithmetic;
};

/// A block's activations, all [rows, width]. The names are TransformerLens's, but
/// attn_out, mlp_in and mlp_out are defined otherwise, as noted below.
struct BlockSites {
  Tensor resid_pre;
  Tensor attn_out;   ///< before any post-norm and residual
  Tensor resid_mid;  ///< v in the papers
  Tensor mlp_in;     ///< after the norm; z in the papers
  Tensor mlp_out;    ///< before any post-norm and residual
  Tensor resid_post;
};

/// The index of a batch's row among a product's rows; nullopt if the product lacks it.
using RowIndex = std::optional<std::int64_t>;

/// The product of an MLP's matrix with n rows of the batch: all rows, or the rows that
/// are routed to the expert.
struct Product {
  MatrixId id;
  const Linear& linear;
  Tensor input;                    ///< [n, inputs]
  Tensor output;                   ///< [n, outputs], wide and not yet rounded
  std::vector<std::int64_t> rows;  ///< [n] indices in the batch; empty: all rows

  RowIndex indexOf(std::int64_t row) const;
};

/// A down projection's product before its gates multiply it. `output` includes the bias,
/// except in a dense MLP without experts, which adds its bias later (`biasAfter`).
struct DownProduct : Product {
  Tensor gates;  ///< [n], wide; undefined in a dense MLP

  double gate(std::int64_t index) const {
    return gates.defined() ? gates[index].item<double>() : 1.0;
  }
};

/// Σ gate · W_down h of one row [1, width], wide, summed in the order of `down`. Excludes
/// `biasAfter` and a dense MLP that runs beside experts.
Tensor sumOf(const std::vector<DownProduct>& down, std::int64_t row);

/// The down projection's bias in a dense MLP without experts; otherwise, or if the MLP
/// has no bias, undefined. @param down not empty
const Tensor& biasAfter(const std::vector<DownProduct>& down);

/// One row's branches [1, width] in a block whose dense MLP runs beside experts.
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

/// Hooks that a block calls, named by site, in the order of declaration, on the computing
/// thread. A hook may change rows of the values that it gets by non-const reference.
class BlockHooks {
 public:
  virtual ~BlockHooks() = default;

  /// Before the input projections.
  virtual void hookMlpIn(const HookedBlock&, const Tensor& /*resid_mid*/,
                         const Tensor& /*mlp_in*/) {}
  /// W input + b of an input projection or a router. A router's call precedes the calls
  /// of its experts.
  virtual void hookInProjection(const HookedBlock&, Product&) {}
  /// W_down h of every expert in use, then of the dense MLP.
  virtual void hookDownProjection(const HookedBlock&, std::vector<DownProduct>&) {}
  /// `biasAfter`, if defined, expanded to [rows, width]. The bias is a view of the
  /// weights: replace the tensor, do not write into it.
  virtual void hookOutBias(const HookedBlock&, Tensor& /*bias*/) {}
  /// n and branch = n ⊙ m [+ b] [rows, width] of the norm after a dense MLP beside
  /// experts.
  virtual void hookDenseScale(const HookedBlock&, const Tensor& /*n*/,
                              Tensor& /*branch*/) {}
  /// The same for the block's closing norm, if OuterFunction::closesWithScale.
  virtual void hookOutScale(const HookedBlock&, const Tensor& /*n*/, Tensor& /*branch*/) {
  }
  /// All sites of the block; resid_post may be changed.
  virtual void hookResidPost(const HookedBlock&, BlockSites&) {}
  /// The result of Block::forward.
  virtual void hookOutput(const HookedBlock&, const Tensor& /*output*/) {}
};

/// Calls several BlockHooks in the given order. They must outlive the chain.
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
