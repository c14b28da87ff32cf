#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// How a block closes: the outer function g of the papers, from the last matrix's
/// unrounded product y = W_down h and the residual stream v = resid_mid to resid_post.
///   mlp_out = round(y);  n = mlp_out / rms(mlp_out);  branch = n ⊙ m;  resid_post = v +
///   branch
/// Without a post-norm the branch is mlp_out itself.
class OuterFunction {
 public:
  /// @param m scale of the norm after the MLP [width], undefined where there is none.
  OuterFunction(const NormSpec& norm, Tensor m);

  bool closesWithScale() const { return m_m.defined(); }
  const Tensor& m() const { return m_m; }
  const NormSpec& norm() const { return m_norm; }

  /// n as the scale meets it: wide, and rounded where the spec rounds before scaling.
  /// Only where the block closes with a scale.
  Tensor normalisedOutput(const Tensor& mlp_out, const Arithmetic& arithmetic) const;
  /// n ⊙ m for any scale m, rounded as the spec rounds.
  Tensor branch(const Tensor& n, const Tensor& m, const Arithmetic& arithmetic) const;

  /// The whole: v, y [rows, width] → resid_post [rows, width].
  Tensor close(const Tensor& v, const Tensor& y, const Arithmetic& arithmetic) const;

 private:
  NormSpec m_norm;
  Tensor m_m;
};

}  // namespace equipatch
