// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "core/base/random.h"

namespace equipatch::test {

inline std::vector<float> randomNumbers(std::int64_t count, std::uint64_t seed,
                                        double size = 1) {
  Random random(seed);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers)
    number = static_cast<float>(size * (2 * random.uniform() - 1));
  return numbers;
}

/// The derivative of f at x along `direction`, by central differences.
inline double directionalDerivative(
    const std::function<double(const std::vector<float>&)>& f,
    const std::vector<float>& x, const std::vector<float>& direction, double step) {
  std::vector<float> ahead = x;
  std::vector<float> behind = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ahead[i] += static_cast<float>(step) * direction[i];
    behind[i] -= static_cast<float>(step) * direction[i];
  }
  return (f(ahead) - f(behind)) / (2 * step);
}

inline double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

inline bool isNear(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

}  // namespace equipatch::test
