// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/hand_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>

namespace equipatch {
namespace {

double valueAt(const TensorView& tensor, std::size_t index) {
  if (tensor.dtype == DType::F32) {
    float value = 0.0f;
    std::memcpy(&value, tensor.bytes.data() + index * sizeof value, sizeof value);
    return static_cast<double>(value);
  }
  std::uint16_t upper = 0;  // a bfloat16 is the upper half of a float32
  std::memcpy(&upper, tensor.bytes.data() + index * sizeof upper, sizeof upper);
  return static_cast<double>(std::bit_cast<float>(std::uint32_t{upper} << 16));
}

/// A row of a matrix [outputs, inputs]; empty if the matrix is stored in a form that
/// `handTable` refuses.
/// @param run the dtype of the run's weights
std::vector<double> storedRow(const StoredWeight& weight, std::size_t row, DType run) {
  const TensorView& tensor = weight.stored;
  const bool plain = tensor.dtype == DType::BF16 || tensor.dtype == DType::F32;
  const bool rounded = run != tensor.dtype && byteSize(run) <= byteSize(tensor.dtype);
  if (!plain || weight.part.transposed || rounded) return {};
  if (tensor.shape != weight.shape || weight.shape.size() != 2) return {};
  const auto inputs = static_cast<std::size_t>(weight.shape[1]);
  if (row >= static_cast<std::size_t>(weight.shape[0])) return {};
  std::vector<double> values(inputs);
  for (std::size_t i = 0; i < inputs; ++i) values[i] = valueAt(tensor, row * inputs + i);
  return values;
}

/// The first patched matrix that multiplies z; null if there is none. Experts that run
/// beside a dense MLP, and their router, have other inputs than z.
const MatrixFactors* firstOfZ(const LayerFactors& factors, const ModelSpec& spec) {
  const auto multipliesZ = [&](const MatrixFactors& matrix) {
    return !spec.hasDenseBeside() || (matrix.weight != weightName({MatrixRole::Router}) &&
                                      !matrix.weight.starts_with("experts."));
  };
  const auto found = std::ranges::find_if(factors.matrices, multipliesZ);
  return found == factors.matrices.end() ? nullptr : &*found;
}

std::size_t largestIndex(const std::vector<double>& values) {
  return static_cast<std::size_t>(
      std::ranges::max_element(values, {}, [](double value) { return std::abs(value); }) -
      values.begin());
}

}  // namespace

void HandTable::Sums::add(const Channel& channel) {
  before += channel.weight * channel.z;
  added += channel.change * channel.z;
  patched += (channel.weight + channel.change) * channel.z;
  contextual += channel.weight * channel.zContext;
}

std::optional<HandTable> handTable(const Session& session, const StepRecord& step,
                                   std::size_t layer, std::size_t count) {
  if (!step.factors || layer >= step.factors->size()) return std::nullopt;
  const LayerFactors& factors = (*step.factors)[layer];
  const MatrixFactors* first = firstOfZ(factors, session.spec());
  if (!first || first->u.empty()) return std::nullopt;
  const MatrixFactors& matrix = *first;
  const std::string name = layerWeight(static_cast<std::int64_t>(layer), matrix.weight);
  if (!session.checkpoint().has(name)) return std::nullopt;
  HandTable table{.matrix = matrix.weight, .layer = layer, .row = largestIndex(matrix.u)};
  const std::vector<double> weights =
      storedRow(session.checkpoint().weight(name), table.row, session.dtype());
  const std::size_t width = weights.size();
  if (width == 0 || factors.z.size() != width || factors.zContext.size() != width ||
      matrix.w.size() != width)
    return std::nullopt;
  // NaN cannot be sorted.
  if (!std::ranges::all_of(factors.z, [](double z) { return std::isfinite(z); }))
    return std::nullopt;
  std::vector<std::size_t> order(width);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater<>(),
                    [&](std::size_t i) { return std::abs(factors.z[i]); });
  table.difference = matrix.u[table.row];
  for (const std::size_t i : order) {
    const HandTable::Channel channel{i, factors.z[i], factors.zContext[i], weights[i],
                                     matrix.u[table.row] * matrix.w[i]};
    table.zSquared += channel.z * channel.z;
    table.all.add(channel);
    if (table.channels.size() < count) {
      table.channels.push_back(channel);
    } else {
      table.others.add(channel);
      ++table.otherCount;
    }
  }
  return table;
}

}  // namespace equipatch
