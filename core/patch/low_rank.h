#pragma once

#include <Eigen/Core>
#include <cmath>

#include "core/patch/rank_one.h"

namespace equipatch {

/// Vectors side by side: one column a token.
using Columns = Eigen::MatrixXd;

/// ΔW = U Vᵀ of a matrix [outputs, inputs]: U [outputs, k], V [inputs, k]. Of rank k at
/// most; a RankOne is one with k = 1.
struct LowRank {
  Columns U;
  Columns V;

  LowRank(Columns u, Columns v) : U(std::move(u)), V(std::move(v)) {}
  explicit LowRank(const RankOne& change) : U(change.u), V(change.w) {}

  /// ‖U Vᵀ‖_F, from the factors: trace(UᵀU VᵀV).
  double norm() const {
    return std::sqrt(
        std::max(0.0, (U.transpose() * U).cwiseProduct(V.transpose() * V).sum()));
  }
  /// ΔW X.
  Columns times(const Columns& X) const { return U * (V.transpose() * X); }
};

}  // namespace equipatch
