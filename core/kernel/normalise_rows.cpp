#include "core/kernel/row_operations.h"

#include <cmath>

#include "core/kernel/lane_sum.h"

namespace equipatch {
namespace {

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
  const Real inverse = Real{1} / std::sqrt(square + static_cast<Real>(norm.epsilon));
  for (std::int64_t i = 0; i < width; ++i) n[i] *= inverse;
}

template <typename Real>
void normalise(const Real* x, std::int64_t rows, std::int64_t width, const RowNorm& norm,
               Real* n) {
  for (std::int64_t row = 0; row < rows; ++row)
    normaliseRow(x + row * width, width, norm, n + row * width);
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

}  // namespace equipatch
