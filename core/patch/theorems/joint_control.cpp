// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/joint_control.h"

#include <Eigen/QR>

namespace equipatch {

std::optional<LowRank> jointControl(const Columns& missing, const Columns& inputs,
                                    double accuracy) {
  if (missing.isZero(0.0))
    return LowRank(Columns::Zero(missing.rows(), inputs.cols()), inputs);
  // Lengths differ between tokens; linear dependence is decided on directions alone.
  const Eigen::RowVectorXd sizes = inputs.colwise().norm().unaryExpr(
      [](double size) { return size > 0.0 ? size : 1.0; });
  const Columns directions = inputs.array().rowwise() / sizes.array();
  const Columns wanted = missing.array().rowwise() / sizes.array();
  Eigen::CompleteOrthogonalDecomposition<Columns> solver;
  solver.setThreshold(accuracy);
  solver.compute(directions);
  const Columns inverse = solver.pseudoInverse();  // [k, inputs]
  if (solver.rank() < inputs.cols()) {
    const Columns reached = wanted * (inverse * directions);
    if ((reached - wanted).norm() > accuracy * wanted.norm()) return std::nullopt;
  }
  return LowRank(wanted, inverse.transpose());
}

}  // namespace equipatch
