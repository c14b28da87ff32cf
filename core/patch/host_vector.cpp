#include "core/patch/host_vector.h"

namespace equipatch {

Vector toHost(const Tensor& vector) {
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
  rows.select(0, row).copy_(toTensor(vector, rows.options()));
}

}  // namespace equipatch
