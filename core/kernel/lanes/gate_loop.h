// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/lanes/eight_lanes.h"
#include "core/kernel/lanes/vector_math.h"
#include "core/kernel/row_operations.h"

namespace equipatch {

/// y = x σ(a x + b x³), see SelfGate. Every instruction set gives the same bits.
template <DoubleVectors V>
struct GateLoop : EightLanes<V> {
  using Math = VectorMath<V>;
  using Base = EightLanes<V>;
  using Base::kGroup;
  using Base::kVectors;
  using typename Math::Doubles;

  template <typename T>
  static void run(SelfGate gate, const T* x, std::int64_t count, T* y) {
    constexpr int kDegree = Base::template kDegree<T>;
    Doubles from[kVectors], exponent[kVectors], decay[kVectors];
    for (std::int64_t at = 0; at < count; at += kGroup) {
      Base::loadGroup(x, at, count, T{0}, from);
      for (int i = 0; i < kVectors; ++i)
        exponent[i] = -from[i] * (gate.a + gate.b * from[i] * from[i]);
      Math::template exponential<kDegree>(exponent, decay);
      for (int i = 0; i < kVectors; ++i) from[i] /= 1.0 + decay[i];
      Base::storeGroup(from, y, at, count);
    }
  }
};

}  // namespace equipatch
