// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/eight_lanes.h"
#include "core/kernel/lanes/vector_math.h"

namespace equipatch {

/// The loops of LogitKernels.
template <DoubleVectors V>
struct LogitLoops : EightLanes<V> {
  using Math = VectorMath<V>;
  using Base = EightLanes<V>;
  using Base::kGroup;
  using Base::kLanes;
  using Base::kParts;
  using Base::kVectors;
  using typename Base::EightSums;
  using typename Math::Doubles;
  using typename Math::Words;
  template <typename T>
  using Eight = typename Base::template Eight<T>;

  template <typename T>
  static constexpr int kDegree = Base::template kDegree<T>;

  template <typename T>
  static LogitChunk summarise(const T* logits, std::int64_t count) {
    EightSums max, sum{};
    for (Doubles& part : max.part)
      part = Doubles{} - std::numeric_limits<double>::infinity();
    Words notFinite{};
    Doubles x;
    for (std::int64_t at = 0; at < count; at += kLanes) {
      const Eight<T> eight(logits, at, count, logits[at]);
      for (int part = 0; part < kParts; ++part) {
        eight.part(part, x);
        max.part[part] = x > max.part[part] ? x : max.part[part];
        notFinite |= x - x != 0.0;
      }
    }
    LogitChunk chunk{.max = max.max(), .finite = !Math::any(notFinite)};
    const double reference = chunk.max - chunk.max == 0.0 ? chunk.max : 0.0;
    Doubles group[kVectors], terms[kVectors];
    for (std::int64_t at = 0; at < count; at += kGroup) {
      Base::loadGroup(logits, at, count, -std::numeric_limits<T>::infinity(), group);
      for (Doubles& vector : group) vector -= reference;
      Math::template exponential<kDegree<T>>(group, terms);
      sum.add(terms);
    }
    chunk.sum = sum.sum();
    return chunk;
  }

  /// kGroup tokens of the vocabulary; p and q are their probabilities, d = log q − log p.
  struct Tokens {
    Doubles logP[kVectors], logQ[kVectors], d[kVectors];
    Doubles distance[kVectors], divergence[kVectors];

    /// For small d, q − p is computed as p (e^d − 1) to avoid cancellation. For the
    /// divergence Σ p (log p − log q), the terms p (e^d − 1 − d) are used: they are never
    /// negative, and their sum is the same because Σ q = Σ p.
    template <int Degree>
    [[gnu::always_inline]] void measure() {
      Doubles p[kVectors], beyond[kVectors];
      Math::template exponential<Degree>(logP, p);
      Math::template exponentialBeyondLinear<Degree>(d, beyond);
      Words far{};
      for (int i = 0; i < kVectors; ++i) {
        distance[i] = p[i] * (d[i] + beyond[i]);
        divergence[i] = p[i] * beyond[i];
        far |= ~near(i);
      }
      if (Math::any(far)) measureFar<Degree>(p);
      for (Doubles& part : distance) part = part < 0.0 ? -part : part;
    }

    template <int Degree>
    [[gnu::always_inline]] void measureFar(const Doubles (&p)[kVectors]) {
      Doubles q[kVectors];
      Math::template exponential<Degree>(logQ, q);
      for (int i = 0; i < kVectors; ++i) {
        const Doubles difference = q[i] - p[i];
        const Doubles linear = p[i] == 0.0 ? Doubles{} : p[i] * d[i];
        distance[i] = near(i) ? distance[i] : difference;
        divergence[i] = near(i) ? divergence[i] : difference - linear;
      }
    }

    [[gnu::always_inline]] Words near(int i) const {
      return (d[i] <= 0.25) & (d[i] >= -0.25);
    }
  };

  template <typename T>
  static DifferenceChunk compare(const LogitPair<T>& pair) {
    constexpr T kImpossible = -std::numeric_limits<T>::infinity();
    EightSums linf{}, distance{}, divergence{};
    Doubles a[kVectors], b[kVectors], magnitude[kVectors];
    Tokens tokens;
    for (std::int64_t at = 0; at < pair.count; at += kGroup) {
      Base::loadGroup(pair.a, at, pair.count, kImpossible, a);
      Base::loadGroup(pair.b, at, pair.count, kImpossible, b);
      for (int i = 0; i < kVectors; ++i) {
        // The difference of equal infinities would be NaN.
        const Doubles difference = a[i] == b[i] ? Doubles{} : b[i] - a[i];
        magnitude[i] = difference < 0.0 ? -difference : difference;
        tokens.logP[i] = a[i] - pair.logSumExpA;
        tokens.logQ[i] = b[i] - pair.logSumExpB;
        tokens.d[i] = difference - (pair.logSumExpB - pair.logSumExpA);
      }
      tokens.template measure<kDegree<T>>();
      linf.raise(magnitude);
      distance.add(tokens.distance);
      divergence.add(tokens.divergence);
    }
    return {linf.max(), distance.sum(), divergence.sum()};
  }

  template <typename T>
  static std::int64_t findGreater(std::span<const T> values, std::int64_t from,
                                  T threshold) {
    constexpr std::int64_t kPiece = 64;
    const std::int64_t count = static_cast<std::int64_t>(values.size());
    const T* data = values.data();
    for (; from + kPiece <= count; from += kPiece) {
      unsigned found = 0;
      for (std::int64_t at = 0; at < kPiece; ++at) found |= data[from + at] > threshold;
      if (found) break;
    }
    while (from < count && !(data[from] > threshold)) ++from;
    return from;
  }

  template <typename T>
  static constexpr LogitKernels<T> kernels() {
    return {&summarise<T>, &compare<T>, &findGreater<T>};
  }
};

}  // namespace equipatch
