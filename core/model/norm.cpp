// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/norm.h"

#include "core/kernel/row_operations.h"
#include "core/kernel/threads.h"
#include "core/model/torch_types.h"

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

Tensor normalisedOnHost(const Tensor& x, const NormSpec& spec, SummationOrder order) {
  const std::int64_t width = x.size(-1), rows = x.numel() / width;
  const RowNorm norm{
      .centred = spec.kind == NormKind::Layer, .epsilon = spec.eps, .order = order};
  return hostResult(x, x.sizes(), [&](const auto* from, auto* to) {
    onLibraryThreads(rows, 1 + kElementsWorthAThread / width, [&](auto begin, auto end) {
      normaliseRows(from + begin * width, end - begin, width, norm, to + begin * width);
    });
  });
}

}  // namespace

Tensor normalised(const Tensor& x, const NormSpec& spec, SummationOrder order) {
  if (x.is_cpu()) return normalisedOnHost(x, spec, order);
  const Tensor centred = spec.kind == NormKind::Layer ? x - mean(x, order) : x;
  return centred * at::rsqrt(mean(centred.square(), order) + spec.eps);
}

Tensor scaled(const Tensor& n, const NormWeights& weights, const NormSpec& spec,
              const Arithmetic& arithmetic) {
  const Tensor held = spec.scaleBeforeRounding ? n : arithmetic.round(n);
  Tensor product = held * weights.m;
  if (weights.bias.defined()) product.add_(weights.bias);
  arithmetic.roundInPlace(product);
  return product;
}

Tensor norm(const Tensor& x, const NormWeights& weights, const NormSpec& spec,
            const Arithmetic& arithmetic) {
  return scaled(normalised(x, spec, arithmetic.order()), weights, spec, arithmetic);
}

}  // namespace equipatch
