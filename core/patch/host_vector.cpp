// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/host_vector.h"

namespace equipatch {

namespace {

// In-place access saves a libtorch copy of each of a step's thousands of rows.
bool isContiguousOnHost(const Tensor& row) {
  return row.device().is_cpu() && row.dim() == 1 &&
         (row.numel() <= 1 || row.stride(0) == 1);
}

template <typename Real>
auto mapped(const Tensor& row) {
  using Values = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  return Eigen::Map<Values>(row.data_ptr<Real>(), row.numel());
}

/// Calls work(values) on a row's values in place. Returns false, without the call, unless
/// the row is contiguous on the host and float32 or float64.
template <typename Work>
bool inPlace(const Tensor& row, const Work& work) {
  if (!isContiguousOnHost(row)) return false;
  if (row.scalar_type() == at::kFloat) return work(mapped<float>(row)), true;
  if (row.scalar_type() == at::kDouble) return work(mapped<double>(row)), true;
  return false;
}

template <typename Values>
using ScalarOf = typename Values::Scalar;

}  // namespace

Vector toHost(const Tensor& vector) {
  Vector copy;
  const auto read = [&](auto values) { copy = values.template cast<double>(); };
  if (inPlace(vector, read)) return copy;
  const Tensor host = vector.to(at::kCPU, at::kDouble).contiguous();
  return Eigen::Map<const Vector>(host.data_ptr<double>(), host.numel());
}

Vector hostRow(const Tensor& rows, std::int64_t row) {
  return toHost(rows.select(0, row));
}

Tensor toTensor(const Vector& vector, const at::TensorOptions& options) {
  Tensor host = at::empty({vector.size()}, at::kDouble);
  Eigen::Map<Vector>(host.data_ptr<double>(), vector.size()) = vector;
  return host.to(options);
}

Columns hostColumns(const Tensor& rows) {
  const Tensor host = rows.to(at::kCPU, at::kDouble).contiguous();
  // Row-major rows have the same layout in memory as column-major columns.
  return Eigen::Map<const Columns>(host.data_ptr<double>(), host.size(1), host.size(0));
}

Tensor toRows(const Columns& columns, const at::TensorOptions& options) {
  Tensor host = at::empty({columns.cols(), columns.rows()}, at::kDouble);
  Eigen::Map<Columns>(host.data_ptr<double>(), columns.rows(), columns.cols()) = columns;
  return host.to(options);
}

void setRow(Tensor& rows, std::int64_t row, const Vector& vector) {
  const Tensor place = rows.select(0, row);
  const auto write = [&](auto values) {
    values = vector.cast<ScalarOf<decltype(values)>>();
  };
  if (place.numel() == vector.size() && inPlace(place, write)) return;
  place.copy_(toTensor(vector, rows.options()));
}

Vector rowDifference(const Tensor& a, const Tensor& b) {
  Vector result;
  bool done = false;
  const auto subtract = [&](auto from) {
    done = inPlace(b, [&](auto values) {
      result = from.template cast<double>() - values.template cast<double>();
    });
  };
  if (inPlace(a, subtract) && done) return result;
  return toHost(a) - toHost(b);
}

double dotRow(const Tensor& rows, std::int64_t row, const Vector& vector) {
  const Tensor place = rows.select(0, row);
  double dot = 0.0;
  const auto multiply = [&](auto values) {
    dot = values.template cast<double>().dot(vector);
  };
  if (place.numel() == vector.size() && inPlace(place, multiply)) return dot;
  return toHost(place).dot(vector);
}

void addToRow(Tensor& rows, std::int64_t row, double factor, const Vector& vector) {
  const Tensor place = rows.select(0, row);
  const auto add = [&](auto values) {
    values = (values.template cast<double>() + factor * vector)
                 .template cast<ScalarOf<decltype(values)>>();
  };
  if (place.numel() == vector.size() && inPlace(place, add)) return;
  setRow(rows, row, toHost(place) + factor * vector);
}

}  // namespace equipatch
