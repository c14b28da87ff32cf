// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/arithmetic.h"

#include <algorithm>
#include <type_traits>

#include "core/checkpoint/memory_estimate.h"
#include "core/kernel/bfloat16_product.h"
#include "core/kernel/row_operations.h"
#include "core/kernel/threads.h"
#include "core/kernel/weight_products.h"

namespace equipatch {
namespace {

/// Matrices are widened or expanded in tiles of about this many elements, so that a tile
/// (4 MB in float32) stays in the cache.
constexpr std::int64_t kProductTileElements = 1 << 20;

WeightMatrix hostMatrix(const Tensor& weight, DType dtype) {
  return {weight.data_ptr(), dtype, weight.size(0), weight.size(1)};
}

std::int64_t tileRows(std::int64_t inputs) {
  return std::max<std::int64_t>(64,
                                kProductTileElements / std::max<std::int64_t>(1, inputs));
}

bool isHostFloats(const Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat;
}

/// Both tensors are contiguous and in host memory.
void roundHostFloats(DType dtype, const Tensor& from, const Tensor& to) {
  const float* source = from.data_ptr<float>();
  float* target = to.data_ptr<float>();
  onLibraryThreads(from.numel(), kElementsWorthAThread, [&](auto begin, auto end) {
    const auto count = static_cast<std::size_t>(end - begin);
    roundElements(dtype, {source + begin, count}, {target + begin, count});
  });
}

/// y = x Wᵀ; y may be a view of some columns of a larger matrix.
void multiply(const Tensor& x, const Tensor& wideWeight, SummationOrder order, Tensor y) {
  if (order == SummationOrder::Standard) {
    at::mm_out(y, x, wideWeight.t());
    return;
  }
  const std::int64_t half = x.size(1) / 2;
  const std::int64_t rest = x.size(1) - half;
  at::mm_out(y, x.narrow(1, half, rest), wideWeight.narrow(1, half, rest).t());
  y.add_(at::mm(x.narrow(1, 0, half), wideWeight.narrow(1, 0, half).t()));
}

}  // namespace

Arithmetic::Arithmetic(DType dtype, at::Device device, Compute compute)
    : m_dtype(dtype),
      m_device(device),
      m_weightType(toTorch(dtype)),
      m_wide(dtype == DType::F64 ? at::kDouble : at::kFloat),
      m_activationType(compute == Compute::Native ? m_weightType : m_wide) {}

Arithmetic Arithmetic::with(SummationOrder order) const {
  Arithmetic other = *this;
  other.m_order = order;
  return other;
}

Arithmetic Arithmetic::unrounded() const {
  Arithmetic other = *this;
  other.m_activationType = m_wide;
  return other;
}

Tensor Arithmetic::round(const Tensor& x) const {
  if (m_activationType == m_wide) return x;
  if (!isHostFloats(x)) return x.to(m_activationType).to(m_wide);
  const Tensor from = x.contiguous();
  Tensor to = at::empty(from.sizes(), from.options());
  roundHostFloats(m_dtype, from, to);
  return to;
}

void Arithmetic::roundInPlace(const Tensor& x) const {
  if (m_activationType == m_wide) return;
  if (isHostFloats(x) && x.is_contiguous())
    roundHostFloats(m_dtype, x, x);
  else
    x.copy_(x.to(m_activationType));
}

Tensor Arithmetic::roundAsWeight(const Tensor& x) const {
  return m_weightType == m_wide ? x : x.to(m_weightType).to(m_wide);
}

double Arithmetic::round(double value) const {
  return at::scalar_tensor(value, at::kDouble)
      .to(m_wide)
      .to(m_activationType)
      .to(at::kDouble)
      .item<double>();
}

Tensor Arithmetic::product(const Tensor& x, const Linear& linear) const {
  const bool few = m_device.is_cpu() && x.size(0) <= kFewRows;
  Tensor y;
  if (few)
    y = fewRows(x, linear);
  else
    y = linear.packed.defined() ? expandedProduct(x, linear) : manyRows(x, linear.weight);
  return linear.bias.defined() ? y.add_(linear.bias) : y;
}

/// Calls work(tile, first) for each tile of a matrix; `first` is the index of the tile's
/// first row.
template <typename Work>
void Arithmetic::forTiles(const Linear& linear, const Work& work) const {
  const std::int64_t step = tileRows(linear.inputs());
  for (std::int64_t first = 0; first < linear.outputs(); first += step)
    work(linear.rows(first, std::min(step, linear.outputs() - first), weightOptions()),
         first);
}

Tensor Arithmetic::expandedProduct(const Tensor& x, const Linear& linear) const {
  Tensor y = at::empty({x.size(0), linear.outputs()}, x.options());
  forTiles(linear, [&](const Tensor& tile, std::int64_t first) {
    y.narrow(1, first, tile.size(0)).copy_(manyRows(x, tile));
  });
  return y;
}

Tensor Arithmetic::fewRows(const Tensor& x, const Linear& linear) const {
  const std::int64_t rows = x.size(0);
  return hostResult(x, {rows, linear.outputs()}, [&](const auto* from, auto* to) {
    if (linear.packed.defined())
      fewRowProduct(linear.packed.matrix(), m_dtype, from, rows, to, m_order);
    else
      fewRowProduct(hostMatrix(linear.weight, m_dtype), from, rows, to, m_order);
  });
}

/// True if products with many rows use the processor's bfloat16 instructions. These flush
/// subnormal values to zero; nothing else is lost, because x is already rounded to
/// bfloat16.
bool Arithmetic::usesBfloat16Instructions() const {
  return m_dtype == DType::BF16 && rounds() && m_device.is_cpu() && multipliesBfloat16();
}

std::int64_t Arithmetic::mostPromptRows() const {
  // With fewer rows, the activations between two products stay in the cache. This matters
  // only where products are as fast as with bfloat16 instructions.
  return usesBfloat16Instructions() ? kMostPromptRows / 2 : kMostPromptRows;
}

Tensor Arithmetic::manyRows(const Tensor& x, const Tensor& weight) const {
  const std::int64_t outputs = weight.size(0);
  Tensor y = at::empty({x.size(0), outputs}, x.options());
  if (m_weightType == m_wide) {
    multiply(x, weight, m_order, y);
    return y;
  }
  if (usesBfloat16Instructions()) {
    const Tensor rows = x.to(m_weightType).contiguous();
    bfloat16Product(hostMatrix(rows, m_dtype), hostMatrix(weight, m_dtype),
                    y.data_ptr<float>(), m_order);
    return y;
  }
  const std::int64_t step = std::min(outputs, tileRows(weight.size(1)));
  const Tensor widened = at::empty({step, weight.size(1)}, x.options());
  for (std::int64_t first = 0; first < outputs; first += step) {
    const std::int64_t count = std::min(step, outputs - first);
    const Tensor tile = widened.narrow(0, 0, count);
    tile.copy_(weight.narrow(0, first, count));
    multiply(x, tile, m_order, y.narrow(1, first, count));
  }
  return y;
}

Tensor Arithmetic::materialisedProduct(const Tensor& x, const Linear& linear,
                                       const Tensor& u, const Tensor& w) const {
  Tensor y;
  if (m_device.is_cpu()) {
    y = materialisedOnHost(x, linear, u, w);
  } else {
    y = at::empty({linear.outputs()}, x.options());
    forTiles(linear, [&](const Tensor& tile, std::int64_t first) {
      const std::int64_t count = tile.size(0);
      y.narrow(0, first, count)
          .copy_(materialisedByLibtorch(x, tile, u.narrow(0, first, count), w));
    });
  }
  return linear.bias.defined() ? y.add_(linear.bias) : y;
}

Tensor Arithmetic::materialisedByLibtorch(const Tensor& x, const Tensor& weight,
                                          const Tensor& u, const Tensor& w) const {
  const Tensor patched = weight.to(m_wide) + at::outer(u, w);
  return manyRows(x.unsqueeze(0), patched.to(m_weightType))[0];
}

Tensor Arithmetic::materialisedOnHost(const Tensor& x, const Linear& linear,
                                      const Tensor& u, const Tensor& w) const {
  const Tensor left = u.contiguous(), right = w.contiguous();
  return hostResult(x, {linear.outputs()}, [&](const auto* row, auto* y) {
    using Scalar = std::remove_pointer_t<decltype(y)>;
    const auto* uData = left.data_ptr<Scalar>();
    const auto* wData = right.data_ptr<Scalar>();
    if (linear.packed.defined())
      equipatch::materialisedProduct(linear.packed.matrix(), m_dtype, uData, wData, row,
                                     y, m_order);
    else
      equipatch::materialisedProduct(hostMatrix(linear.weight, m_dtype), uData, wData,
                                     row, y, m_order);
  });
}

}  // namespace equipatch
