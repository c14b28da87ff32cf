// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include <cmath>

#include "core/model/torch_types.h"

namespace equipatch::test {

/// max |a − b| in double precision; infinite for different shapes, even if a − b could
/// broadcast them.
inline double largestDifference(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes()) return HUGE_VAL;
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

}  // namespace equipatch::test
