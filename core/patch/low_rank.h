// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace equipatch {

// Patches are computed on the host in double precision, whatever the model's dtype.

using Vector = Eigen::VectorXd;
/// Vectors side by side: one column per token, or per term of a sum of rank-1 changes.
using Columns = Eigen::MatrixXd;

/// The change ΔW = u wᵀ of a weight matrix: u [outputs], w [inputs].
struct RankOne {
  Vector u;
  Vector w;

  /// ‖ΔW‖_F, which equals the spectral norm.
  double norm() const { return u.norm() * w.norm(); }
};

/// The change ΔW = U Vᵀ of a weight matrix: U [outputs, k], V [inputs, k].
struct LowRank {
  Columns U;
  Columns V;

  LowRank(Columns u, Columns v) : U(std::move(u)), V(std::move(v)) {}

  /// ‖U Vᵀ‖_F = √trace(UᵀU VᵀV).
  double norm() const {
    return std::sqrt(
        std::max(0.0, (U.transpose() * U).cwiseProduct(V.transpose() * V).sum()));
  }
  /// ΔW X [outputs, n]. @param X [inputs, n]
  Columns times(const Columns& X) const { return U * (V.transpose() * X); }
};

}  // namespace equipatch
