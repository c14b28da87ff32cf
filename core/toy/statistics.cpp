// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/statistics.h"

#include <cmath>
#include <numeric>

namespace equipatch::toy {

MeanCurve meanCurve(const Tensor& values) {
  const Tensor wide = values.detach().to(at::kDouble);
  const auto tasks = static_cast<double>(wide.size(0));
  const Tensor mean = wide.mean(0);
  const Tensor squares = (wide - mean).square().sum(0);
  const double freedom = std::max(1.0, tasks - 1.0);
  return {toValues(mean), toValues((squares / (freedom * tasks)).sqrt())};
}

std::vector<double> toValues(const Tensor& values) {
  const Tensor flat = values.detach().to(at::kDouble).contiguous();
  const double* data = flat.data_ptr<double>();
  return {data, data + flat.numel()};
}

std::vector<double> integersFrom(std::int64_t first, std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), static_cast<double>(first));
  return values;
}

}  // namespace equipatch::toy
