#include "core/model/outer_function.h"

#include "core/model/norm.h"

namespace equipatch {

OuterFunction::OuterFunction(const NormSpec& norm, Tensor m)
    : m_norm(norm), m_m(std::move(m)) {}

Tensor OuterFunction::normalisedOutput(const Tensor& mlp_out,
                                       const Arithmetic& arithmetic) const {
  const Tensor n = normalised(mlp_out, m_norm, arithmetic.order());
  return m_norm.scaleBeforeRounding ? n : arithmetic.round(n);
}

Tensor OuterFunction::branch(const Tensor& n, const Tensor& m,
                             const Arithmetic& arithmetic) const {
  return scaled(n, m, m_norm, arithmetic);
}

Tensor OuterFunction::close(const Tensor& v, const Tensor& y,
                            const Arithmetic& arithmetic) const {
  Tensor out = arithmetic.round(y);
  if (closesWithScale()) out = branch(normalisedOutput(out, arithmetic), m_m, arithmetic);
  return arithmetic.round(v + out);
}

}  // namespace equipatch
