#include "core/model/norm.h"

namespace equipatch {
namespace {

Tensor meanSquare(const Tensor& x, SummationOrder order) {
  const Tensor squares = x.square();
  if (order == SummationOrder::Standard) return squares.mean(-1, /*keepdim=*/true);
  const std::int64_t width = x.size(-1), half = width / 2;
  const auto sum = [&](std::int64_t first, std::int64_t count) {
    return squares.narrow(-1, first, count).sum(-1, /*keepdim=*/true);
  };
  return (sum(half, width - half) + sum(0, half)) / static_cast<double>(width);
}

}  // namespace

Tensor normalised(const Tensor& x, const NormSpec& spec, SummationOrder order) {
  return x * at::rsqrt(meanSquare(x, order) + spec.eps);
}

Tensor scaled(const Tensor& n, const Tensor& m, const NormSpec& spec,
              const Arithmetic& arithmetic) {
  return spec.scaleBeforeRounding ? arithmetic.round(n * m)
                                  : arithmetic.round(arithmetic.round(n) * m);
}

Tensor rmsNorm(const Tensor& x, const Tensor& m, const NormSpec& spec,
               const Arithmetic& arithmetic) {
  return scaled(normalised(x, spec, arithmetic.order()), m, spec, arithmetic);
}

}  // namespace equipatch
