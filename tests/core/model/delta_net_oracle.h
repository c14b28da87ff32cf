// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

/// The formulas of DeltaNetSpec in plain loops. Returns attn_out.
/// @param h attn_in, one row for each of consecutive tokens from the first on
inline Matrix deltaNetOracle(const ModelSpec& spec, const LayerWeights& weights,
                             const Matrix& h) {
  const DeltaNetSpec& d = *spec.deltaNet;
  const auto silu = [](double x) { return x / (1.0 + std::exp(-x)); };
  const auto product = [&](const Linear& W) {
    return Matrix(h * toMatrix(W.weight).transpose());
  };
  const Matrix u = product(weights.delta.W_in), z = product(weights.delta.W_z);
  const Matrix b = product(weights.delta.W_b), a = product(weights.delta.W_a);
  const Matrix conv = toMatrix(weights.delta.conv), decay = toMatrix(weights.delta.decay);
  const Matrix dt = toMatrix(weights.delta.dt_bias), m = toMatrix(weights.delta.norm);
  std::vector<Matrix> S(static_cast<std::size_t>(d.valueHeads),
                        Matrix::Zero(d.keyDim, d.valueDim));
  Matrix out(h.rows(), d.values());
  for (Eigen::Index t = 0; t < h.rows(); ++t) {
    Matrix c = Matrix::Zero(1, u.cols());
    for (Eigen::Index j = 0; j < d.kernel; ++j)
      if (const Eigen::Index from = t - d.kernel + 1 + j; from >= 0)
        c.array() += conv.row(j).array() * u.row(from).array();
    c = c.unaryExpr(silu);
    for (Eigen::Index head = 0; head < d.valueHeads; ++head) {
      const Eigen::Index from = head / (d.valueHeads / d.keyHeads) * d.keyDim;
      const auto unit = [&](Eigen::Index first) {
        const Eigen::VectorXd x = c.row(0).segment(first, d.keyDim).transpose();
        return Eigen::VectorXd(x / std::sqrt(x.squaredNorm() + 1e-6));
      };
      const Eigen::VectorXd q = unit(from) / std::sqrt(static_cast<double>(d.keyDim));
      const Eigen::VectorXd k = unit(d.keys() + from);
      const Eigen::VectorXd v =
          c.row(0).segment(2 * d.keys() + head * d.valueDim, d.valueDim).transpose();
      const double alpha =
          std::exp(decay(0, head) * std::log1p(std::exp(a(t, head) + dt(0, head))));
      const double beta = 1.0 / (1.0 + std::exp(-b(t, head)));
      Matrix& state = S[static_cast<std::size_t>(head)];
      state *= alpha;
      const Eigen::VectorXd known = state.transpose() * k;
      state += k * (beta * (v - known)).transpose();
      Eigen::VectorXd o = state.transpose() * q;
      o /= std::sqrt(o.squaredNorm() / static_cast<double>(d.valueDim) + spec.norm.eps);
      for (Eigen::Index i = 0; i < d.valueDim; ++i)
        out(t, head * d.valueDim + i) =
            o(i) * m(0, i) * silu(z(t, head * d.valueDim + i));
    }
  }
  return out * toMatrix(weights.W_o.weight).transpose();
}

}  // namespace equipatch::test
