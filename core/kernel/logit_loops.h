#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see dot_tile.h); Here is a type local to that file (see vector_math.h).

#include <cstdint>
#include <limits>

#include "core/kernel/logit_lanes.h"
#include "core/kernel/vector_code.h"
#include "core/kernel/vector_math.h"

namespace equipatch {

template <typename Here>
struct LogitLoops : LogitLanes<Here> {
  using Math = VectorMath<Here>;
  using Base = LogitLanes<Here>;
  using Base::kLanes;
  using Base::kParts;
  using typename Base::Lanes;
  using typename Math::Doubles;
  using typename Math::Words;
  template <typename T>
  using Eight = typename Base::template Eight<T>;

  /// Terms of the series that the accuracy of T deserves.
  template <typename T>
  static constexpr int kDegree = sizeof(T) == sizeof(float) ? 9 : 13;

  template <typename T>
  static LogitChunk summarise(const T* logits, std::int64_t count) {
    Lanes max, sum{};
    for (Doubles& part : max.part)
      part = Doubles{} - std::numeric_limits<double>::infinity();
    Words strange{};
    Doubles x, term;
    for (std::int64_t at = 0; at < count; at += kLanes) {
      const Eight<T> eight(logits, at, count, logits[at]);
      for (int part = 0; part < kParts; ++part) {
        eight.part(part, x);
        max.part[part] = x > max.part[part] ? x : max.part[part];
        strange |= x - x != 0.0;
      }
    }
    LogitChunk chunk{.max = max.max(), .finite = !Math::any(strange)};
    const double reference = chunk.max - chunk.max == 0.0 ? chunk.max : 0.0;
    for (std::int64_t at = 0; at < count; at += kLanes) {
      const Eight<T> eight(logits, at, count, -std::numeric_limits<T>::infinity());
      for (int part = 0; part < kParts; ++part) {
        eight.part(part, x);
        Math::template exponential<kDegree<T>>(x - reference, term);
        sum.part[part] += term;
      }
    }
    chunk.sum = sum.sum();
    return chunk;
  }

  /// One vector of tokens; d = log q − log p.
  struct Tokens {
    Doubles logP, logQ, d;
    Doubles distance{}, divergence{};

    /// Where d is small, q − p = p (e^d − 1) keeps the digits that the difference of q
    /// and p would lose, and so does the divergence Σ p (e^d − 1 − d), whose every term
    /// is positive (it is Σ p (log p − log q), because Σ q = Σ p).
    template <int Degree>
    [[gnu::always_inline]] void measure() {
      Doubles p, beyond;
      Math::template exponential<Degree>(logP, p);
      Math::template exponentialBeyondLinear<Degree>(d, beyond);
      distance = p * (d + beyond);
      divergence = p * beyond;
      const Words near = (d <= 0.25) & (d >= -0.25);
      if (Math::any(~near)) {
        Doubles q;
        Math::template exponential<Degree>(logQ, q);
        const Doubles linear = p == 0.0 ? Doubles{} : p * d;
        distance = near ? distance : q - p;
        divergence = near ? divergence : q - p - linear;
      }
      distance = distance < 0.0 ? -distance : distance;
    }
  };

  template <typename T>
  static DifferenceChunk compare(const LogitPair<T>& pair) {
    constexpr T kImpossible = -std::numeric_limits<T>::infinity();
    Lanes linf{}, distance{}, divergence{};
    Doubles a, b;
    for (std::int64_t at = 0; at < pair.count; at += kLanes) {
      const Eight<T> eightA(pair.a, at, pair.count, kImpossible);
      const Eight<T> eightB(pair.b, at, pair.count, kImpossible);
      for (int part = 0; part < kParts; ++part) {
        eightA.part(part, a);
        eightB.part(part, b);
        // Equal infinities differ by nothing.
        const Doubles difference = a == b ? Doubles{} : b - a;
        const Doubles magnitude = difference < 0.0 ? -difference : difference;
        linf.part[part] = magnitude > linf.part[part] ? magnitude : linf.part[part];
        Tokens tokens{.logP = a - pair.logSumExpA,
                      .logQ = b - pair.logSumExpB,
                      .d = difference - (pair.logSumExpB - pair.logSumExpA)};
        tokens.template measure<kDegree<T>>();
        distance.part[part] += tokens.distance;
        divergence.part[part] += tokens.divergence;
      }
    }
    return {linf.max(), distance.sum(), divergence.sum()};
  }

  /// Index of the first greater value from `from` on, or the size.
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
  static constexpr LogitCode<T> code() {
    return {&summarise<T>, &compare<T>, &findGreater<T>};
  }
};

}  // namespace equipatch
