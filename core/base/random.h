// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/hash.h"

namespace equipatch {

/// Random numbers by SplitMix64, the same on every machine, unlike the results of the
/// standard library's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_state(seed) {}
  /// A separate stream of numbers for each index.
  Random(std::uint64_t seed, std::uint64_t index) : m_state(seed) {
    m_state = next() ^ (index * 0xd1342543de82ef95u);
  }

  std::uint64_t next() {
    const std::uint64_t value = splitMix64(m_state);
    m_state += kSplitMixStep;
    return value;
  }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Standard normal, by Leva's ratio of uniforms. Machines may round a logarithm
  /// differently; here it only decides whether a pair (u, v) near the border of the
  /// acceptance region is accepted.
  double normal() {
    while (true) {
      const double u = 1.0 - uniform(), v = 1.7156 * (uniform() - 0.5);
      const double x = u - 0.449871, y = std::abs(v) + 0.386595;
      const double q = x * x + y * (0.19600 * y - 0.25472 * x);
      if (q < 0.27597 || (q <= 0.27846 && v * v <= -4.0 * u * u * std::log(u)))
        return v / u;
    }
  }
  bool chance(double probability) { return uniform() < probability; }

  /// Uniform in [0, count), up to a relative bias of count × 2⁻⁶⁴.
  /// @throws std::logic_error for 0
  std::size_t below(std::size_t count) {
    if (count == 0) throw std::logic_error("nothing to draw from");
    return static_cast<std::size_t>(next() % count);
  }
  /// Uniform in [low, high]; `high` must not be less than `low`.
  int between(int low, int high) {
    const std::int64_t count = std::int64_t{high} - low + 1;
    return static_cast<int>(
        low + static_cast<std::int64_t>(below(static_cast<std::size_t>(count))));
  }

  /// @throws std::logic_error if `from` is empty
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t m_state;
};

}  // namespace equipatch
