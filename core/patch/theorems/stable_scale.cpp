// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/stable_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/patch/theorems/norm_size.h"

namespace equipatch {
namespace {

constexpr double kFloor = 0.1;  ///< of rms(m)
constexpr int kBisections = 200;

/// @returns how many scales it lifts
std::int64_t liftSmall(Vector& m) {
  const double rms = std::sqrt(m.squaredNorm() / static_cast<double>(m.size()));
  const double least = rms > 0.0 ? kFloor * rms : 1.0;
  std::int64_t lifted = 0;
  for (double& scale : m) {
    if (std::abs(scale) >= least) continue;
    scale = scale < 0.0 ? -least : least;
    ++lifted;
  }
  return lifted;
}

/// y_k = g_k m_k / (m_k² − μ) with μ = min m² − t; `above` is m² − min m².
Vector outputAt(double t, const Vector& g, const Vector& m, const Vector& above) {
  Vector y = Vector::Zero(g.size());
  for (Eigen::Index k = 0; k < g.size(); ++k)
    if (g[k] != 0.0) y[k] = g[k] * m[k] / (above[k] + t);
  return y;
}

double meanSquare(const Vector& y) {
  return y.squaredNorm() / static_cast<double>(y.size());
}

/// The t at which mean y² = ρ²; mean y² falls as t grows. Bisects log t, because t may
/// span many orders of magnitude.
double rootBelow(double rho2, const Vector& g, const Vector& m, const Vector& above) {
  // Every denominator is at least t, so mean y² ≤ mean (g m)² / t².
  double high = std::sqrt(meanSquare(g.cwiseProduct(m)) / rho2);
  double low = high;
  if (!std::isfinite(high)) return high;  // the loop below would not end
  while (low > std::numeric_limits<double>::min() &&
         meanSquare(outputAt(low, g, m, above)) < rho2)
    low *= 1e-3;
  for (int step = 0; step < kBisections && low < high; ++step) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    if (middle <= low || middle >= high) break;
    (meanSquare(outputAt(middle, g, m, above)) >= rho2 ? low : high) = middle;
  }
  return high;
}

}  // namespace

StableSplit stableSplit(const Vector& g, const Vector& m, const Vector& q, double eps) {
  if (g.isZero(0.0)) return {.m = Vector::Zero(g.size()), .hiddenTarget = q};
  StableSplit split{.m = m};
  split.floored = liftSmall(split.m);
  const NormSize size(q, eps);

  const Vector squares = split.m.cwiseAbs2();
  Eigen::Index smallest = 0;
  const double bound = squares.minCoeff(&smallest);
  const Vector above = (squares.array() - bound).matrix();
  bool diverges = false;  // whether mean y² grows without limit as t → 0
  for (Eigen::Index k = 0; k < g.size(); ++k)
    diverges = diverges || (above[k] == 0.0 && g[k] != 0.0);

  const Vector lifted = split.m;
  const double atBound = diverges ? 0.0 : meanSquare(outputAt(0.0, g, lifted, above));
  split.hardCase = !diverges && atBound < size.rho2;
  const double t = split.hardCase ? 0.0 : rootBelow(size.rho2, g, lifted, above);
  split.mu = bound - t;
  Vector y = outputAt(t, g, lifted, above);
  for (Eigen::Index k = 0; k < g.size(); ++k) split.m[k] = (above[k] + t) / lifted[k];
  if (split.hardCase)
    y[smallest] = std::sqrt((size.rho2 - atBound) * static_cast<double>(g.size()));
  split.hiddenTarget = size.hiddenTarget(y);
  return split;
}

}  // namespace equipatch
