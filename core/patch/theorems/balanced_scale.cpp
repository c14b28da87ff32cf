// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/balanced_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/patch/theorems/norm_size.h"

namespace equipatch {
namespace {

constexpr int kMostNewtonSteps = 60;
constexpr double kRelativeTolerance = 1e-15;

/// r_k = (m_k / g_k)²; infinite where g_k = 0 (or so small that the square overflows).
Vector ratios(const Vector& g, const Vector& m) {
  Vector r(g.size());
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    const double ratio =
        g[k] == 0.0 ? std::numeric_limits<double>::infinity() : m[k] / g[k];
    r[k] = ratio * ratio;
  }
  return r;
}

/// Root t > 0 of mean_k 1 / (d_k + t) = rho2, for d_k ≥ 0 with at least one d_k = 0.
/// Newton's method on the reciprocal of the mean converges monotonically.
/// @param start not right of the root
double rootOfMean(const Vector& d, double rho2, double start) {
  double t = start;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const Eigen::ArrayXd inverse = (d.array() + t).inverse();
    const double p = inverse.mean();
    const double slope = inverse.square().mean() / (p * p);
    const double change = (1.0 / p - 1.0 / rho2) / slope;
    t -= change;
    if (std::abs(change) <= kRelativeTolerance * t) break;
  }
  return t;
}

}  // namespace

BalancedSplit balancedSplit(const Vector& g, const Vector& m, const Vector& q,
                            double eps) {
  const auto width = static_cast<double>(g.size());
  const NormSize size(q, eps);
  const double rho2 = size.rho2;

  const Vector r = ratios(g, m);
  const double least = r.minCoeff();
  if (!std::isfinite(least)) return {Vector::Zero(g.size()), q, 0.0};

  // Newton's method starts at the larger of two lower bounds of the root:
  // - t = 1 / (width ρ²): one d is 0, so the mean is at least 1 / (width t) = ρ²;
  // - t = least, where d + t = r, if the mean of 1 / r is at least ρ².
  double start = 1.0 / (width * rho2);
  if (r.array().inverse().mean() >= rho2) start = std::max(start, least);
  const Vector above = (r.array() - least).matrix();
  const double t = rootOfMean(above, rho2, start);

  BalancedSplit split{m, {}, t - least};
  Vector y = Vector::Zero(g.size());
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    if (!std::isfinite(r[k])) continue;
    const double magnitude = std::abs(g[k]) * std::sqrt(above[k] + t);
    split.m[k] = m[k] < 0.0 ? -magnitude : magnitude;
    y[k] = g[k] / split.m[k];
  }
  split.hiddenTarget = size.hiddenTarget(y);
  return split;
}

Vector settleScale(const Vector& m, const Vector& g, const Vector& n) {
  constexpr double kLargestCorrection = 0.05;
  Vector settled = m;
  for (Eigen::Index k = 0; k < m.size(); ++k) {
    if (n[k] == 0.0) continue;
    const double exact = g[k] / n[k];
    if (std::abs(exact - m[k]) <= kLargestCorrection * std::abs(m[k])) settled[k] = exact;
  }
  return settled;
}

}  // namespace equipatch
