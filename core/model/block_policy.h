#pragma once

#include <vector>

#include "core/base/ids.h"
#include "core/model/outer_function.h"
#include "core/model/weights.h"

namespace equipatch {

/// The first matrices of a gated feed-forward, the inner functions' controllable
/// parameters.
enum class FirstMatrix { Gate, Up };

/// Where in the model a policy is being asked.
struct BlockView {
  LayerIndex layer;
  const LayerWeights& weights;
  const OuterFunction& outer;
  const Arithmetic& arithmetic;

  const Linear& first(FirstMatrix which) const {
    return which == FirstMatrix::Gate ? weights.W_gate : weights.W_up;
  }
};

/// A block's activations, all [rows, width] but z: named as in TransformerLens.
struct BlockSites {
  Tensor resid_pre;
  Tensor attn_out;   ///< before any post-norm and residual
  Tensor resid_mid;  ///< v in the papers
  Tensor z;          ///< the MLP's normalised input
  Tensor mlp_out;    ///< before any post-norm and residual
  Tensor resid_post;
};

/// What a block asks at its controllable places. It may look at every row and change
/// some: nothing (plain decode), a patch computed here and now (closed loop), a patch
/// given. Called layer by layer, in the order of the members, on the thread that
/// computes.
class BlockPolicy {
 public:
  virtual ~BlockPolicy() = default;

  /// v and z [rows, width], before the first matrices.
  virtual void atMlpInput(const BlockView&, const Tensor& /*v*/, const Tensor& /*z*/) {}
  /// y = W z + b of a first matrix [rows, mlpWidth], wide and not yet rounded.
  virtual void atFirstProduct(const BlockView&, FirstMatrix, Tensor& /*y*/) {}
  /// y = W_down h + b [rows, width], wide and not yet rounded; h [rows, mlpWidth].
  virtual void atLastProduct(const BlockView&, const Tensor& /*h*/, Tensor& /*y*/) {}
  /// n and branch = n ⊙ m [rows, width], only where the block closes with a scale.
  virtual void atClosingScale(const BlockView&, const Tensor& /*n*/, Tensor& /*branch*/) {
  }
  /// The finished block; resid_post may still be changed.
  virtual void atBlockOutput(const BlockView&, BlockSites&) {}
};

/// Several policies, asked in the order given. They outlive this.
class PolicyChain final : public BlockPolicy {
 public:
  explicit PolicyChain(std::vector<BlockPolicy*> policies);

  void atMlpInput(const BlockView& block, const Tensor& v, const Tensor& z) override;
  void atFirstProduct(const BlockView& block, FirstMatrix which, Tensor& y) override;
  void atLastProduct(const BlockView& block, const Tensor& h, Tensor& y) override;
  void atClosingScale(const BlockView& block, const Tensor& n, Tensor& branch) override;
  void atBlockOutput(const BlockView& block, BlockSites& sites) override;

 private:
  std::vector<BlockPolicy*> m_policies;
};

}  // namespace equipatch
