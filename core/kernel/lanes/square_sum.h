// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/half_float.h"
#include "core/kernel/lanes/vector_math.h"

namespace equipatch {

// Formats of stored weights: `value` widens one element, `load` a vector of them.

template <DoubleVectors V, typename T>
struct StoredReals {
  using Element = T;
  static double value(T x) { return x; }
  static void load(const T* from, typename V::Doubles& to) {
    VectorMath<V>::load(from, to);
  }
};

template <DoubleVectors V>
struct StoredBfloat16 {
  using Element = std::uint16_t;
  static double value(Element bits) { return bfloat16Value(bits); }
  static void load(const Element* from, typename V::Doubles& to) {
    to = V::widen(V::loadBfloat16(from));
  }
};

template <DoubleVectors V>
struct StoredFloat16 {
  using Element = std::uint16_t;
  static double value(Element bits) { return float16Value(bits); }
  static void load(const Element* from, typename V::Doubles& to) {
    to = V::widen(V::loadFloat16(from));
  }
};

/// Σ x² of a row of weights in doubles. Every instruction set gives the same bits:
/// element i of each full group of 16 adds to sum i, the rest of the row to one more sum.
template <DoubleVectors V, typename Stored>
struct SquareSum {
  using Doubles = typename V::Doubles;
  static constexpr int kWidth = VectorMath<V>::kWidth;
  static constexpr int kLanes = 16, kParts = kLanes / kWidth;

  static double sum(const void* weights, std::int64_t count) {
    const auto* row = static_cast<const typename Stored::Element*>(weights);
    Doubles parts[kParts] = {}, x;
    std::int64_t at = 0;
    for (; at + kLanes <= count; at += kLanes)
#pragma GCC unroll 8
      for (int part = 0; part < kParts; ++part) {
        Stored::load(row + at + part * kWidth, x);
        parts[part] += x * x;
      }
    double sum = 0.0;
    for (; at < count; ++at) {
      const double rest = Stored::value(row[at]);
      sum += rest * rest;
    }
    for (const Doubles& part : parts)
      for (int lane = 0; lane < kWidth; ++lane) sum += part[lane];
    return sum;
  }
};

}  // namespace equipatch
