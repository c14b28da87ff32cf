#pragma once

#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/checkpoint/layer_spec.h"
#include "core/model/outer_function.h"
#include "core/model/weights.h"

namespace equipatch {

/// Where in the model a hook is called.
struct BlockView {
  LayerIndex layer;
  const LayerWeights& weights;
  const OuterFunction& outer;
  const Arithmetic& arithmetic;
};

/// A block's activations, all [rows, width]; named as in TransformerLens.
struct BlockSites {
  Tensor resid_pre;
  Tensor attn_out;   ///< before any post-norm and residual
  Tensor resid_mid;  ///< v in the papers
  Tensor mlp_in;     ///< the MLP's input
  Tensor mlp_out;    ///< before any post-norm and residual
  Tensor resid_post;
};

/// One row's place in a product; nothing where the row takes no part.
using RowPlace = std::optional<std::int64_t>;

/// The product of a feed-forward matrix with the rows that use it: all of the batch, but
/// for the experts of a MoE block.
struct Product {
  MatrixId id;
  const Linear& linear;
  Tensor input;                    ///< [n, inputs]
  Tensor output;                   ///< [n, outputs], wide and not yet rounded
  std::vector<std::int64_t> rows;  ///< the batch's row of each of the n; empty: all

  RowPlace place(std::int64_t row) const;
};

/// A down projection's product W_down h, without the bias, and its weight in the sum.
struct DownProduct : Product {
  Tensor gates;  ///< [n], wide; undefined where there is nothing to weigh

  double gate(std::int64_t place) const {
    return gates.defined() ? gates[place].item<double>() : 1.0;
  }
};

/// Σ gate · W_down h of one row [1, width], wide and without the bias, added up in the
/// order in which the block adds.
Tensor sumOf(const std::vector<DownProduct>& down, std::int64_t row);

/// Hooks that a block calls, named by site. A hook sees every row and may change some:
/// none (plain decode), by a patch computed on the spot (closed loop), by a given patch.
/// Called layer by layer, in the order of the members, on the thread that computes.
class BlockHooks {
 public:
  virtual ~BlockHooks() = default;

  /// resid_mid and mlp_in [rows, width], before the input projections.
  virtual void hookMlpIn(const BlockView&, const Tensor& /*resid_mid*/,
                         const Tensor& /*mlp_in*/) {}
  /// W z + b of an input projection; a router is one too, called before its experts.
  virtual void hookInProjection(const BlockView&, Product&) {}
  /// W_down h of every expert in use, or of the one dense feed-forward.
  virtual void hookDownProjection(const BlockView&, std::vector<DownProduct>&) {}
  /// The bias that follows the down projection, as it is added to each row [rows, width].
  /// Only where there is one; replace it to change it, it is a view of the weights.
  virtual void hookOutBias(const BlockView&, Tensor& /*bias*/) {}
  /// n and branch = n ⊙ m [rows, width], only where the block closes with a scale.
  virtual void hookOutScale(const BlockView&, const Tensor& /*n*/, Tensor& /*branch*/) {}
  /// The finished block; resid_post may still be changed.
  virtual void hookResidPost(const BlockView&, BlockSites&) {}
};

/// Several sets of hooks, called in the order given. They outlive this.
class HookChain final : public BlockHooks {
 public:
  explicit HookChain(std::vector<BlockHooks*> hooks);

  void hookMlpIn(const BlockView& block, const Tensor& resid_mid,
                 const Tensor& mlp_in) override;
  void hookInProjection(const BlockView& block, Product& product) override;
  void hookDownProjection(const BlockView& block,
                          std::vector<DownProduct>& down) override;
  void hookOutBias(const BlockView& block, Tensor& bias) override;
  void hookOutScale(const BlockView& block, const Tensor& n, Tensor& branch) override;
  void hookResidPost(const BlockView& block, BlockSites& sites) override;

 private:
  std::vector<BlockHooks*> m_hooks;
};

}  // namespace equipatch
