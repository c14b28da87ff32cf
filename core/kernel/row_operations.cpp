// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/row_operations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"

namespace equipatch {
namespace {

/// Σ term(i) over [begin, end), in lanes that the compiler can keep in registers. The
/// order of the additions depends on the range alone.
template <typename Real, typename Term>
Real laneSum(std::int64_t begin, std::int64_t end, const Term& term) {
  constexpr int kLanes = 16;
  Real lanes[kLanes] = {};
  std::int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  Real sum = 0;
  for (; i < end; ++i) sum += term(i);
  for (const Real lane : lanes) sum += lane;
  return sum;
}

template <typename Real, typename Term>
Real meanOf(std::int64_t width, SummationOrder order, const Term& term) {
  if (order == SummationOrder::Standard)
    return laneSum<Real>(0, width, term) / static_cast<Real>(width);
  const std::int64_t half = width / 2;
  const Real later = laneSum<Real>(half, width, term);
  return (later + laneSum<Real>(0, half, term)) / static_cast<Real>(width);
}

template <typename Real>
void normaliseRow(const Real* x, std::int64_t width, const RowNorm& norm, Real* n) {
  Real mean = 0;
  if (norm.centred)
    mean = meanOf<Real>(width, norm.order, [&](std::int64_t i) { return x[i]; });
  for (std::int64_t i = 0; i < width; ++i) n[i] = x[i] - mean;
  const Real square =
      meanOf<Real>(width, norm.order, [&](std::int64_t i) { return n[i] * n[i]; });
  const Real root = std::sqrt(square + static_cast<Real>(norm.epsilon));
  // If the sum of squares overflows, 1 / root is 0. The result would be a row of zeros,
  // which looks valid; NaN shows the overflow.
  const Real inverse =
      std::isinf(root) ? std::numeric_limits<Real>::quiet_NaN() : Real{1} / root;
  for (std::int64_t i = 0; i < width; ++i) n[i] *= inverse;
}

template <typename Real>
void normalise(const Real* x, std::int64_t rows, std::int64_t width, const RowNorm& norm,
               Real* n) {
  for (std::int64_t row = 0; row < rows; ++row)
    normaliseRow(x + row * width, width, norm, n + row * width);
}

template <typename Real>
void rotateHead(const HeadShape& shape, const Real* x, const Real* cosine,
                const Real* sine, Real* y) {
  const std::int64_t step = shape.neighbours ? 2 : 1;
  const std::int64_t other = shape.neighbours ? 1 : shape.pairs;
  for (std::int64_t pair = 0; pair < shape.pairs; ++pair) {
    const Real first = x[pair * step], second = x[pair * step + other];
    y[pair * step] = first * cosine[pair] - second * sine[pair];
    y[pair * step + other] = second * cosine[pair] + first * sine[pair];
  }
  std::copy(x + 2 * shape.pairs, x + shape.headDim, y + 2 * shape.pairs);
}

template <typename Real>
void rotate(const HeadShape& shape, const Real* x, const Real* cosine, const Real* sine,
            Real* y) {
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      const std::int64_t at = (row * shape.heads + head) * shape.headDim;
      rotateHead(shape, x + at, cosine + row * shape.pairs, sine + row * shape.pairs,
                 y + at);
    }
}

/// @param infinite the exponent bits of ±∞ and NaN
template <typename Word, typename Real>
bool noExponentIs(Word infinite, std::span<const Real> x) {
  Word found = 0;
  // No early exit, so that compilers vectorise the loop.
  for (const Real element : x)
    found |= Word{(std::bit_cast<Word>(element) & infinite) == infinite};
  return found == 0;
}

}  // namespace

void normaliseRows(const float* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, float* n) {
  normalise(x, rows, width, norm, n);
}

void normaliseRows(const double* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, double* n) {
  normalise(x, rows, width, norm, n);
}

void rotateHeads(const HeadShape& shape, const float* x, const float* cosine,
                 const float* sine, float* y) {
  rotate(shape, x, cosine, sine, y);
}

void rotateHeads(const HeadShape& shape, const double* x, const double* cosine,
                 const double* sine, double* y) {
  rotate(shape, x, cosine, sine, y);
}

void selfGate(SelfGate gate, std::span<const float> x, std::span<float> y) {
  kernelTable().gateF32(gate, x.data(), std::ssize(x), y.data());
}

void selfGate(SelfGate gate, std::span<const double> x, std::span<double> y) {
  kernelTable().gateF64(gate, x.data(), std::ssize(x), y.data());
}

void roundElements(DType dtype, std::span<const float> from, std::span<float> to) {
  weightKernels<float>(dtype).round(from.data(), std::ssize(from), to.data());
}

bool allFinite(std::span<const float> x) {
  return noExponentIs<std::uint32_t>(0x7f800000u, x);
}

bool allFinite(std::span<const double> x) {
  return noExponentIs<std::uint64_t>(0x7ff0000000000000u, x);
}

double squareSum(DType dtype, const void* weights, std::int64_t count) {
  return dtype == DType::F64 ? weightKernels<double>(dtype).squareSum(weights, count)
                             : weightKernels<float>(dtype).squareSum(weights, count);
}

double squaredFrobeniusNorm(const WeightMatrix& W) {
  const auto* elements = static_cast<const std::byte*>(W.data);
  std::vector<double> rows(static_cast<std::size_t>(W.outputs));
  const std::int64_t bytes = W.inputs * static_cast<std::int64_t>(byteSize(W.dtype));
  parallelRanges({.items = W.outputs, .bytesPerItem = bytes}, [&](WorkRange range) {
    for (std::int64_t row = range.begin; row < range.end; ++row)
      rows[static_cast<std::size_t>(row)] =
          squareSum(W.dtype, elements + row * bytes, W.inputs);
  });
  double sum = 0.0;
  for (const double row : rows) sum += row;
  return sum;
}

}  // namespace equipatch
