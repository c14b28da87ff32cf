// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/outer_function.h"

namespace equipatch {

OuterFunction::OuterFunction(const ModelSpec& spec, NormWeights closing)
    : m_norm(spec.norm),
      m_closing(std::move(closing)),
      m_residualScale(spec.residualScale),
      m_place(spec.postNormPlace) {}

Tensor OuterFunction::normalisedOutput(const Tensor& mlp_out,
                                       const Arithmetic& arithmetic) const {
  const Tensor n = normalised(mlp_out, m_norm, arithmetic.order());
  return m_norm.scaleBeforeRounding ? n : arithmetic.round(n);
}

Tensor OuterFunction::branch(const Tensor& n, const NormWeights& weights,
                             const Arithmetic& arithmetic) const {
  return scaled(n, weights, m_norm, arithmetic);
}

Tensor OuterFunction::add(const Tensor& x, const Tensor& branch,
                          const Arithmetic& arithmetic) const {
  const Tensor sum =
      x + (m_residualScale == 1.0 ? branch : arithmetic.round(branch * m_residualScale));
  arithmetic.roundInPlace(sum);
  return sum;
}

Tensor OuterFunction::sum(const Tensor& v, const Tensor& y,
                          const Arithmetic& arithmetic) const {
  Tensor out = arithmetic.round(y);
  if (closesWithScale())
    out = branch(normalisedOutput(out, arithmetic), m_closing.m, arithmetic);
  return add(v, out, arithmetic);
}

Tensor OuterFunction::finish(const Tensor& sum, const Arithmetic& arithmetic) const {
  return closesWithNorm() && m_closing.exists()
             ? equipatch::norm(sum, m_closing, m_norm, arithmetic)
             : sum;
}

Tensor OuterFunction::close(const Tensor& v, const Tensor& y,
                            const Arithmetic& arithmetic) const {
  return finish(sum(v, y, arithmetic), arithmetic);
}

}  // namespace equipatch
