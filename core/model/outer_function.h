#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/norm.h"

namespace equipatch {

/// How a block closes: the outer function g of the papers, from the down projections'
/// unrounded product y = W_down h (+ b, weighed and summed over experts) and the residual
/// stream v = resid_mid to resid_post:
///   mlp_out = round(y);  n = normalised(mlp_out);  branch = n ⊙ m;
///   resid_post = v + r·branch
/// Without a post-norm the branch is mlp_out itself; r is the spec's residual scale.
/// Where the norm closes the block it is applied to the sum instead: nothing scales the
/// branch.
class OuterFunction {
 public:
  /// @param closing the norm after the MLP [width]; none exists without one.
  OuterFunction(const ModelSpec& spec, NormWeights closing);

  bool closesWithScale() const { return m_closing.exists() && !closesWithNorm(); }
  bool closesWithNorm() const { return m_place == PostNormPlace::Sum; }
  /// The closing scale is followed by a LayerNorm's bias.
  bool closesWithNormBias() const {
    return closesWithScale() && m_closing.bias.defined();
  }
  const Tensor& normBias() const { return m_closing.bias; }
  const Tensor& m() const { return m_closing.m; }
  const NormSpec& norm() const { return m_norm; }
  double residualScale() const { return m_residualScale; }

  /// n as the scale meets it: wide, and rounded where the spec rounds before scaling.
  /// Only where the block closes with a scale.
  Tensor normalisedOutput(const Tensor& mlp_out, const Arithmetic& arithmetic) const;
  /// n ⊙ m [+ b] for any such weights, rounded as the spec rounds.
  Tensor branch(const Tensor& n, const NormWeights& weights,
                const Arithmetic& arithmetic) const;
  /// The same with another scale alone.
  Tensor branch(const Tensor& n, const Tensor& m, const Arithmetic& arithmetic) const {
    return branch(n, NormWeights{m, m_closing.bias}, arithmetic);
  }
  /// x + r·branch, for either of the block's branches.
  Tensor add(const Tensor& x, const Tensor& branch, const Arithmetic& arithmetic) const;

  /// What is restored by a patch: v, y [rows, width] → v + r·branch [rows, width].
  Tensor sum(const Tensor& v, const Tensor& y, const Arithmetic& arithmetic) const;
  /// That sum → resid_post.
  Tensor finish(const Tensor& sum, const Arithmetic& arithmetic) const;
  /// The whole: v, y [rows, width] → resid_post [rows, width].
  Tensor close(const Tensor& v, const Tensor& y, const Arithmetic& arithmetic) const;

 private:
  NormSpec m_norm;
  NormWeights m_closing;
  double m_residualScale;
  PostNormPlace m_place;
};

}  // namespace equipatch
