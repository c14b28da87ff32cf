// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/norm.h"

#include "core/kernel/row_operations.h"
#include "core/kernel/threads.h"
#include "core/model/not_finite.h"
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
  return centred * at::rsqrt(infinityAsNaN(mean(centred.square(), order)) + spec.eps);
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
