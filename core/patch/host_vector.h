// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/torch_types.h"
#include "core/patch/low_rank.h"

namespace equipatch {

/// Row `row` of a tensor [rows, n], copied to the host in double precision.
Vector hostRow(const Tensor& rows, std::int64_t row);
/// The same for a tensor [n].
Vector toHost(const Tensor& vector);

Tensor toTensor(const Vector& vector, const at::TensorOptions& options);

/// Rows [rows, n], copied to the host as columns [n, rows].
Columns hostColumns(const Tensor& rows);
/// Columns [n, k] as a tensor of rows [k, n].
Tensor toRows(const Columns& columns, const at::TensorOptions& options);

/// Overwrites row `row` of `rows` with `vector`, rounded to the dtype of `rows`.
void setRow(Tensor& rows, std::int64_t row, const Vector& vector);

/// a − b in double precision, for tensors [n].
Vector rowDifference(const Tensor& a, const Tensor& b);

/// Row · vector in double precision.
double dotRow(const Tensor& rows, std::int64_t row, const Vector& vector);
/// Row += factor · vector, computed in double precision and then rounded to the dtype of
/// `rows`.
void addToRow(Tensor& rows, std::int64_t row, double factor, const Vector& vector);

}  // namespace equipatch
