#pragma once

#include <string>
#include <vector>

#include "core/model/torch_types.h"

namespace equipatch::toy {

struct MeanCurve {
  std::vector<double> mean;
  std::vector<double> error;  ///< standard error of the mean; 0 for a single task
};

/// Over the first dimension of values [tasks, n].
MeanCurve meanCurve(const Tensor& values);

/// Any tensor's numbers, row by row.
std::vector<double> toNumbers(const Tensor& values);

/// first, first + 1, … : `count` numbers, for an axis.
std::vector<double> countFrom(std::int64_t first, std::size_t count);

}  // namespace equipatch::toy
