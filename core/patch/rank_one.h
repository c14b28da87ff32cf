#pragma once

#include <Eigen/Core>

namespace equipatch {

/// Patches are computed on the host in double precision, whatever the model's dtype.
using Vector = Eigen::VectorXd;

/// ΔW = u wᵀ of a matrix [outputs, inputs]: u [outputs], w [inputs]. Never formed to be
/// looked at: its norms follow from the factors.
struct RankOne {
  Vector u;
  Vector w;

  /// ‖u wᵀ‖_F, which is also its spectral norm.
  double norm() const { return u.norm() * w.norm(); }
  /// ΔW x.
  Vector times(const Vector& x) const { return u * w.dot(x); }
};

}  // namespace equipatch
