#include "core/model/norm.h"

namespace equipatch {

Tensor normalised(const Tensor& x, const NormSpec& spec) {
  return x * at::rsqrt(x.square().mean(-1, /*keepdim=*/true) + spec.eps);
}

Tensor scaled(const Tensor& n, const Tensor& m, const NormSpec& spec,
              const Arithmetic& arithmetic) {
  return spec.scaleBeforeRounding ? arithmetic.round(n * m)
                                  : arithmetic.round(arithmetic.round(n) * m);
}

Tensor rmsNorm(const Tensor& x, const Tensor& m, const NormSpec& spec,
               const Arithmetic& arithmetic) {
  return scaled(normalised(x, spec), m, spec, arithmetic);
}

}  // namespace equipatch
