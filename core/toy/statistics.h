// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/torch_types.h"

namespace equipatch::toy {

struct MeanCurve {
  std::vector<double> mean;
  std::vector<double> error;  ///< standard error of the mean; 0 for a single task
};

/// The mean over the first dimension of values [tasks, n].
MeanCurve meanCurve(const Tensor& values);

/// The elements of any tensor, row by row.
std::vector<double> toValues(const Tensor& values);

/// first, first + 1, …: `count` values, for an axis.
std::vector<double> integersFrom(std::int64_t first, std::size_t count);

}  // namespace equipatch::toy
