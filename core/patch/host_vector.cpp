#include "core/patch/host_vector.h"

namespace equipatch {

namespace {

// A step asks for thousands of rows: where they lie in order on the host, they are read
// and written without asking libtorch for a copy of each.
bool liesOnHost(const Tensor& row) {
  return row.device().is_cpu() && row.dim() == 1 &&
         (row.numel() <= 1 || row.stride(0) == 1);
}

template <typename Real>
auto mapped(const Tensor& row) {
  using Numbers = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  return Eigen::Map<Numbers>(row.data_ptr<Real>(), row.numel());
}

}  // namespace

Vector toHost(const Tensor& vector) {
  if (liesOnHost(vector)) {
    if (vector.scalar_type() == at::kFloat) return mapped<float>(vector).cast<double>();
    if (vector.scalar_type() == at::kDouble) return mapped<double>(vector);
  }
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
  // A row-major row is a column-major column.
  return Eigen::Map<const Columns>(host.data_ptr<double>(), host.size(1), host.size(0));
}

Tensor toRows(const Columns& columns, const at::TensorOptions& options) {
  Tensor host = at::empty({columns.cols(), columns.rows()}, at::kDouble);
  Eigen::Map<Columns>(host.data_ptr<double>(), columns.rows(), columns.cols()) = columns;
  return host.to(options);
}

void setRow(Tensor& rows, std::int64_t row, const Vector& vector) {
  const Tensor place = rows.select(0, row);
  if (liesOnHost(place) && place.numel() == vector.size()) {
    if (place.scalar_type() == at::kFloat) {
      mapped<float>(place) = vector.cast<float>();
      return;
    }
    if (place.scalar_type() == at::kDouble) {
      mapped<double>(place) = vector;
      return;
    }
  }
  place.copy_(toTensor(vector, rows.options()));
}

double dotRow(const Tensor& rows, std::int64_t row, const Vector& vector) {
  const Tensor place = rows.select(0, row);
  if (liesOnHost(place) && place.numel() == vector.size()) {
    if (place.scalar_type() == at::kFloat)
      return mapped<float>(place).cast<double>().dot(vector);
    if (place.scalar_type() == at::kDouble) return mapped<double>(place).dot(vector);
  }
  return toHost(place).dot(vector);
}

void addToRow(Tensor& rows, std::int64_t row, double factor, const Vector& vector) {
  const Tensor place = rows.select(0, row);
  if (liesOnHost(place) && place.numel() == vector.size()) {
    if (place.scalar_type() == at::kFloat) {
      auto numbers = mapped<float>(place);
      numbers = (numbers.cast<double>() + factor * vector).cast<float>();
      return;
    }
    if (place.scalar_type() == at::kDouble) {
      mapped<double>(place) += factor * vector;
      return;
    }
  }
  setRow(rows, row, toHost(place) + factor * vector);
}

}  // namespace equipatch
