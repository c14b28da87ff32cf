// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/model/arithmetic.h"
#include "tests/support/tiny_checkpoint.h"

namespace equipatch::test {

/// Row-major like a contiguous tensor.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// [columns] → one row; [rows, a, b, …] → [rows, a·b·…].
inline Matrix toMatrix(const Tensor& x) {
  const Tensor wide = x.to(at::kCPU, at::kDouble).contiguous();
  const std::int64_t rows = x.dim() == 1 ? 1 : x.size(0);
  return Eigen::Map<const Matrix>(wide.data_ptr<double>(), rows,
                                  wide.numel() / std::max<std::int64_t>(1, rows));
}

inline Tensor toTensor(const Matrix& x, at::ScalarType type) {
  Tensor wide = at::empty({x.rows(), x.cols()}, at::kDouble);
  Eigen::Map<Matrix>(wide.data_ptr<double>(), x.rows(), x.cols()) = x;
  return wide.to(type);
}

/// max |a − b| in double precision; infinite for NaN and for different shapes.
inline double distance(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  double largest = 0.0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a.data()[i] - b.data()[i]);
    largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
  }
  return largest;
}

inline double distance(const Tensor& a, const Matrix& b) {
  return distance(toMatrix(a), b);
}

inline double distance(const Tensor& a, const Tensor& b) {
  return distance(toMatrix(a), toMatrix(b));
}

/// The same shape, type and bits, NaN included.
inline bool sameBits(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  const Tensor left = a.contiguous(), right = b.contiguous();
  return std::memcmp(left.data_ptr(), right.data_ptr(), left.nbytes()) == 0;
}

/// Nearly normally distributed values with standard deviation `spread`, in the wide type
/// but rounded to the dtype. The same name gives the same values.
inline Tensor randomTensor(const std::string& name,
                           const std::vector<std::int64_t>& shape,
                           const Arithmetic& arithmetic, double spread = 1.0) {
  Tensor x = at::empty(shape, at::kDouble);
  const std::vector<float> values =
      randomValues(name, static_cast<std::size_t>(x.numel()));
  std::transform(values.begin(), values.end(), x.data_ptr<double>(),
                 [&](float value) { return spread * static_cast<double>(value); });
  return arithmetic.round(x.to(arithmetic.wide()));
}

enum class Bias { Without, With };

/// A random layer whose outputs are of order 1 for inputs of order 1.
inline Linear randomLinear(const std::string& name, std::int64_t outputs,
                           std::int64_t inputs, const Arithmetic& arithmetic,
                           Bias bias = Bias::Without) {
  Linear linear;
  const double spread = 1.0 / std::sqrt(static_cast<double>(inputs));
  linear.weight = randomTensor(name + ".weight", {outputs, inputs}, arithmetic, spread)
                      .to(arithmetic.weightType());
  if (bias == Bias::With)
    linear.bias = randomTensor(name + ".bias", {outputs}, arithmetic, 0.3);
  return linear;
}

}  // namespace equipatch::test
