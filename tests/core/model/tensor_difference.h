// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include "core/model/torch_types.h"

namespace equipatch::test {

/// max |a − b| in double precision.
inline double largestDifference(const Tensor& a, const Tensor& b) {
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

}  // namespace equipatch::test
