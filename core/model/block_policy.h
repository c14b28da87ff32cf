#pragma once

#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/checkpoint/mlp_matrix.h"
#include "core/model/outer_function.h"
#include "core/model/weights.h"

namespace equipatch {

/// Where in the model a policy is being asked.
struct BlockView {
  LayerIndex layer;
  const LayerWeights& weights;
  const OuterFunction& outer;
  const Arithmetic& arithmetic;
};

/// A block's activations, all [rows, width] but z: named as in TransformerLens.
struct BlockSites {
  Tensor resid_pre;
  Tensor attn_out;   ///< before any post-norm and residual
  Tensor resid_mid;  ///< v in the papers
  Tensor z;          ///< the MLP's input
  Tensor mlp_out;    ///< before any post-norm and residual
  Tensor resid_post;
};

/// One row's place in a product; nothing where the row takes no part.
using RowPlace = std::optional<std::int64_t>;

/// The product of a feed-forward matrix with the rows that use it: all of the batch, but
/// for a mixture's experts.
struct Product {
  MatrixId id;
  const Linear& linear;
  Tensor input;                    ///< [n, inputs]
  Tensor output;                   ///< [n, outputs], wide and not yet rounded
  std::vector<std::int64_t> rows;  ///< the batch's row of each of the n; empty: all

  RowPlace place(std::int64_t row) const;
};

/// A last matrix's product W_down h, without the bias, and its weight in the sum.
struct LastProduct : Product {
  Tensor gates;  ///< [n], wide; undefined where there is nothing to weigh

  double gate(std::int64_t place) const {
    return gates.defined() ? gates[place].item<double>() : 1.0;
  }
};

/// Σ gate · W_down h of one row [1, width], wide and without the bias, added up in the
/// order in which the block adds.
Tensor sumOf(const std::vector<LastProduct>& last, std::int64_t row);

/// What a block asks at its controllable places. It may look at every row and change
/// some: nothing (plain decode), a patch computed here and now (closed loop), a patch
/// given. Called layer by layer, in the order of the members, on the thread that
/// computes.
class BlockPolicy {
 public:
  virtual ~BlockPolicy() = default;

  /// v and z [rows, width], before the first matrices.
  virtual void atMlpInput(const BlockView&, const Tensor& /*v*/, const Tensor& /*z*/) {}
  /// W z + b of a first matrix; a router is one too, asked before its experts.
  virtual void atFirstProduct(const BlockView&, Product&) {}
  /// W_down h of every expert in use, or of the one dense feed-forward.
  virtual void atLastProducts(const BlockView&, std::vector<LastProduct>&) {}
  /// The bias that follows the last matrix, as it is added to each row [rows, width].
  /// Only where there is one; replace it to change it, it is a view of the weights.
  virtual void atOuterBias(const BlockView&, Tensor& /*bias*/) {}
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
  void atFirstProduct(const BlockView& block, Product& product) override;
  void atLastProducts(const BlockView& block, std::vector<LastProduct>& last) override;
  void atOuterBias(const BlockView& block, Tensor& bias) override;
  void atClosingScale(const BlockView& block, const Tensor& n, Tensor& branch) override;
  void atBlockOutput(const BlockView& block, BlockSites& sites) override;

 private:
  std::vector<BlockPolicy*> m_policies;
};

}  // namespace equipatch
