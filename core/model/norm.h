// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// A norm's parameters, wide.
struct NormWeights {
  Tensor m;     ///< the scale in n ⊙ m + b; undefined if the block has no such norm
  Tensor bias;  ///< b; undefined if the norm has none

  bool exists() const { return m.defined(); }
};

/// n = x / sqrt(mean(x²) + eps) over the last axis, wide and unrounded; a LayerNorm uses
/// x − mean(x) in place of x. n is the f of Theorem 1.
Tensor normalised(const Tensor& x, const NormSpec& spec,
                  SummationOrder order = SummationOrder::Standard);

/// n ⊙ m [+ bias], rounded. Unless spec.scaleBeforeRounding, n is rounded first.
Tensor scaled(const Tensor& n, const NormWeights& weights, const NormSpec& spec,
              const Arithmetic& arithmetic);

/// scaled(normalised(x)).
Tensor norm(const Tensor& x, const NormWeights& weights, const NormSpec& spec,
            const Arithmetic& arithmetic);

/// The end of a block, the papers' outer function g. It takes the MLP's unrounded output
/// y (mlpOutputOf) and v = resid_mid and computes
///   mlp_out = round(y);  n = normalised(mlp_out);  branch = n ⊙ m [+ b];
///   resid_post = v + r·branch
/// with the spec's residual scale r. Without a post-norm, branch = mlp_out. With
/// PostNormPlace::Sum, the norm is applied to the sum instead of the branch.
class OuterFunction {
 public:
  /// @param closing the post-norm of the MLP [width]; undefined if there is none
  OuterFunction(const ModelSpec& spec, NormWeights closing);

  bool closesWithScale() const { return m_closing.exists() && !closesWithNorm(); }
  bool closesWithNorm() const { return m_place == PostNormPlace::Sum; }
  bool closesWithNormBias() const {
    return closesWithScale() && m_closing.bias.defined();
  }
  const Tensor& normBias() const { return m_closing.bias; }
  const Tensor& m() const { return m_closing.m; }
  const NormSpec& norm() const { return m_norm; }
  double residualScale() const { return m_residualScale; }

  /// normalised(mlp_out), wide; rounded unless the norm's spec has scaleBeforeRounding.
  Tensor normalisedOutput(const Tensor& mlp_out, const Arithmetic& arithmetic) const;
  /// `scaled` with the spec `norm()`.
  Tensor branch(const Tensor& n, const NormWeights& weights,
                const Arithmetic& arithmetic) const;
  /// The same with scale m and the bias `normBias()`.
  Tensor branch(const Tensor& n, const Tensor& m, const Arithmetic& arithmetic) const {
    return branch(n, NormWeights{m, m_closing.bias}, arithmetic);
  }
  /// x + r·branch, rounded; for attention's branch too.
  Tensor add(const Tensor& x, const Tensor& branch, const Arithmetic& arithmetic) const;

  /// v, y [rows, width] → v + r·branch [rows, width], the sum that a patch restores.
  Tensor sum(const Tensor& v, const Tensor& y, const Arithmetic& arithmetic) const;
  /// v + r·branch → resid_post: applies the post-norm if its place is the sum.
  Tensor finish(const Tensor& sum, const Arithmetic& arithmetic) const;
  /// finish(sum(v, y)).
  Tensor close(const Tensor& v, const Tensor& y, const Arithmetic& arithmetic) const;

 private:
  NormSpec m_norm;
  NormWeights m_closing;
  double m_residualScale;
  PostNormPlace m_place;
};

}  // namespace equipatch
