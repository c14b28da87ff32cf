#include "core/model/norm.h"

namespace equipatch {
namespace {

Tensor mean(const Tensor& x, SummationOrder order) {
  if (order == SummationOrder::Standard) return x.mean(-1, /*keepdim=*/true);
  const std::int64_t width = x.size(-1), half = width / 2;
  const auto sum = [&](std::int64_t first, std::int64_t count) {
    return x.narrow(-1, first, count).sum(-1, /*keepdim=*/true);
  };
  return (sum(half, width - half) + sum(0, half)) / static_cast<double>(width);
}

}  // namespace

Tensor normalised(const Tensor& x, const NormSpec& spec, SummationOrder order) {
  const Tensor centred = spec.kind == NormKind::Layer ? x - mean(x, order) : x;
  return centred * at::rsqrt(mean(centred.square(), order) + spec.eps);
}

Tensor scaled(const Tensor& n, const NormWeights& weights, const NormSpec& spec,
              const Arithmetic& arithmetic) {
  const Tensor held = spec.scaleBeforeRounding ? n : arithmetic.round(n);
  const Tensor product = held * weights.m;
  return arithmetic.round(weights.bias.defined() ? product + weights.bias : product);
}

Tensor norm(const Tensor& x, const NormWeights& weights, const NormSpec& spec,
            const Arithmetic& arithmetic) {
  return scaled(normalised(x, spec, arithmetic.order()), weights, spec, arithmetic);
}

}  // namespace equipatch
