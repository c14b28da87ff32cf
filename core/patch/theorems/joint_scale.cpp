// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/joint_scale.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/patch/theorems/norm_size.h"

namespace equipatch {
namespace {

constexpr int kNewtonSteps = 500;
constexpr double kTolerance = 1e-14;  // of the squared Newton decrement λ²
constexpr double kResidual = 1e-8;  // largest gradient of a solution, by width ‖ρ²‖

/// Maximises Σ_i log s_i − width Σ_j ν_j ρ_j² over ν, where s_i = m_i² + Σ_j ν_j g_ji²
/// and i runs over the components in which some g_j is not 0.
class Dual {
 public:
  Dual(const Columns& g, const Vector& m, Vector rho2)
      : m_rho2(std::move(rho2)), m_width(static_cast<double>(g.rows())) {
    std::vector<Eigen::Index> moved;
    for (Eigen::Index i = 0; i < g.rows(); ++i)
      if (!g.row(i).isZero(0.0)) moved.push_back(i);
    m_base = m(moved).cwiseAbs2();
    m_weights = g(moved, Eigen::all).cwiseAbs2();
  }

  /// A ν for which every s_i is positive, whatever m is.
  Vector start() const {
    return m_rho2.cwiseInverse() / static_cast<double>(m_rho2.size());
  }

  std::optional<Vector> solve() const {
    Vector nu = start();
    double best = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kNewtonSteps; ++step) {
      const Columns shares =
          m_weights.array().colwise() / (m_base + m_weights * nu).array();
      const Vector gradient = shares.colwise().sum().transpose() - m_width * m_rho2;
      const Eigen::LDLT<Columns> hessian(shares.transpose() * shares);
      const Vector direction = hessian.solve(gradient);
      const double decrement = gradient.dot(direction);  // λ²
      if (!std::isfinite(decrement)) return std::nullopt;
      // Below the tolerance, rounding errors dominate: stop when λ² no longer falls.
      // A gradient that is still large shows that the equations have no solution.
      if (decrement < kTolerance && decrement >= best)
        return gradient.norm() <= kResidual * m_width * m_rho2.norm() ? std::optional(nu)
                                                                      : std::nullopt;
      best = decrement;
      // Damped steps keep every s_i positive. Below λ = 1/4, full steps do the same and
      // converge quadratically.
      const double lambda = std::sqrt(std::max(0.0, decrement));
      nu += direction / (lambda < 0.25 ? 1.0 : 1.0 + lambda);
    }
    return std::nullopt;
  }

 private:
  Vector m_rho2;
  double m_width;
  Vector m_base;      // m_i²
  Columns m_weights;  // g_ji²
};

}  // namespace

std::optional<JointSplit> jointSplit(const Columns& g, const Vector& m, const Columns& q,
                                     double eps) {
  const Eigen::Index tokens = g.cols();
  std::vector<NormSize> sizes;
  Vector rho2(tokens);
  for (Eigen::Index j = 0; j < tokens; ++j) {
    if (g.col(j).isZero(0.0)) return std::nullopt;
    sizes.emplace_back(q.col(j), eps);
    rho2[j] = sizes.back().rho2;
  }
  const auto nu = Dual(g, m, rho2).solve();
  if (!nu) return std::nullopt;

  JointSplit split{m, Columns::Zero(g.rows(), tokens)};
  const Vector squares = m.cwiseAbs2() + g.cwiseAbs2() * *nu;
  for (Eigen::Index i = 0; i < g.rows(); ++i) {
    if (g.row(i).isZero(0.0)) continue;
    split.m[i] = std::copysign(std::sqrt(squares[i]), m[i] < 0.0 ? -1.0 : 1.0);
    split.hiddenTargets.row(i) = g.row(i) / split.m[i];
  }
  for (Eigen::Index j = 0; j < tokens; ++j)
    split.hiddenTargets.col(j) =
        sizes[static_cast<std::size_t>(j)].hiddenTarget(split.hiddenTargets.col(j));
  return split;
}

}  // namespace equipatch
