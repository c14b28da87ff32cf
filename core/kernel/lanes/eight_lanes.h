// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/lanes/vector_math.h"

namespace equipatch {

/// Loads, stores and sums elements. Element i is always added to sum i mod 8, so that
/// every instruction set gives the same bits.
template <DoubleVectors V>
struct EightLanes : VectorMath<V> {
  using Math = VectorMath<V>;
  using typename Math::Doubles;
  using typename Math::Words;

  static constexpr int kLanes = 8, kParts = kLanes / Math::kWidth;
  /// The degree of the exponential's series that T's precision requires.
  template <typename T>
  static constexpr int kDegree = sizeof(T) == sizeof(float) ? 9 : 13;

  // Vectors whose exponentials are computed together.
  static constexpr int kVectors = 4, kGroup = kVectors * Math::kWidth;
  static_assert(kVectors % kParts == 0);

  /// Eight values from index `at` on; `fill` replaces those from index `count` on.
  template <typename T>
  class Eight {
   public:
    [[gnu::always_inline]] Eight(const T* values, std::int64_t at, std::int64_t count,
                                 T fill)
        : m_from(count - at >= kLanes ? values + at : m_copy) {
      if (m_from != m_copy) return;
      for (int lane = 0; lane < kLanes; ++lane)
        m_copy[lane] = at + lane < count ? values[at + lane] : fill;
    }
    [[gnu::always_inline]] void part(int index, Doubles& to) const {
      Math::load(m_from + index * Math::kWidth, to);
    }

   private:
    const T* m_from;
    T m_copy[kLanes];
  };

  /// Loads kGroup values from index `at` on; `fill` replaces those from index `count` on.
  template <typename T>
  [[gnu::always_inline]] static void loadGroup(const T* values, std::int64_t at,
                                               std::int64_t count, T fill,
                                               Doubles (&to)[kVectors]) {
    for (int i = 0; i < kVectors; i += kParts) {
      const Eight<T> eight(values, at + i * Math::kWidth, count, fill);
      for (int part = 0; part < kParts; ++part) eight.part(part, to[i + part]);
    }
  }

  /// Stores kGroup values from index `at` on; drops those from index `count` on.
  template <typename T>
  [[gnu::always_inline]] static void storeGroup(const Doubles (&from)[kVectors], T* to,
                                                std::int64_t at, std::int64_t count) {
    T copy[kGroup];
    T* place = count - at >= kGroup ? to + at : copy;
    for (int i = 0; i < kVectors; ++i) Math::store(from[i], place + i * Math::kWidth);
    if (place != copy) return;
    for (int lane = 0; at + lane < count; ++lane) to[at + lane] = copy[lane];
  }

  /// Eight sums, or eight maxima.
  struct EightSums {
    Doubles part[kParts];

    [[gnu::always_inline]] void add(const Doubles (&terms)[kVectors]) {
      for (int i = 0; i < kVectors; ++i) part[i % kParts] += terms[i];
    }
    [[gnu::always_inline]] void raise(const Doubles (&terms)[kVectors]) {
      for (int i = 0; i < kVectors; ++i) {
        Doubles& most = part[i % kParts];
        most = terms[i] > most ? terms[i] : most;
      }
    }

    double sum() const {
      double sum = 0.0;
      for (const Doubles& doubles : part)
        for (int lane = 0; lane < Math::kWidth; ++lane) sum += doubles[lane];
      return sum;
    }
    double max() const {
      double max = part[0][0];
      for (const Doubles& doubles : part)
        for (int lane = 0; lane < Math::kWidth; ++lane)
          max = doubles[lane] > max ? doubles[lane] : max;
      return max;
    }
  };
};

}  // namespace equipatch
