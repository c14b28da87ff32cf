// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "core/model/torch_types.h"

namespace equipatch::test {

/// A copy of a matrix, or of a vector as a column, in double.
inline Eigen::MatrixXd toEigen(const at::Tensor& tensor) {
  const at::Tensor own = tensor.detach().to(at::kDouble).contiguous();
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(own.data_ptr<double>(), own.size(0),
                                    own.dim() > 1 ? own.size(1) : 1);
}

/// Multi-head attention of one query, computed head by head.
struct AttentionOracle {
  Eigen::MatrixXd W_q, W_k, W_v, W_o;
  Eigen::Index heads = 1;

  /// @param tokens [inputs, n], to attend to; @param x [inputs], the query's token
  Eigen::VectorXd operator()(const Eigen::MatrixXd& tokens,
                             const Eigen::VectorXd& x) const {
    const Eigen::VectorXd q = W_q * x;
    const Eigen::MatrixXd k = W_k * tokens, v = W_v * tokens;
    const Eigen::Index size = q.size() / heads;
    Eigen::VectorXd joined(q.size());
    for (Eigen::Index head = 0; head < heads; ++head) {
      const auto part = Eigen::seqN(head * size, size);
      Eigen::VectorXd weights =
          (k(part, Eigen::all).transpose() * q(part) / std::sqrt(double(size)))
              .array()
              .exp();
      weights /= weights.sum();
      joined(part) = v(part, Eigen::all) * weights;
    }
    return W_o * joined;
  }
};

/// The largest absolute difference, relative to the largest absolute entry of `b`.
/// Infinite if any difference is not finite, because maxCoeff() may ignore a NaN.
template <typename A, typename B>
double difference(const A& a, const B& b) {
  if (!(a - b).allFinite()) return HUGE_VAL;
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

}  // namespace equipatch::test
