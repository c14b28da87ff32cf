#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see dot_tile.h); Here is a type local to that file.
//
// Compiler vectors of eight doubles and no fused operations: every variant gives the same
// bits.

#include <cstdint>
#include <cstring>
#include <limits>

#include "core/kernel/vector_code.h"

namespace equipatch {

template <typename Here>
struct LogitLoops {
  static constexpr int kLanes = 8;
  using Doubles [[gnu::vector_size(64)]] = double;
  using Words [[gnu::vector_size(64)]] = std::int64_t;
  using Floats [[gnu::vector_size(32)]] = float;

  [[gnu::always_inline]] static void load(const double* from, Doubles& to) {
    std::memcpy(&to, from, sizeof to);
  }
  [[gnu::always_inline]] static void load(const float* from, Doubles& to) {
    Floats floats;
    std::memcpy(&floats, from, sizeof floats);
    to = __builtin_convertvector(floats, Doubles);
  }

  /// The last, incomplete vector; impossible tokens fill it.
  template <typename T>
  [[gnu::always_inline]] static void loadRest(const T* from, std::int64_t count,
                                              Doubles& to) {
    to = Doubles{} - std::numeric_limits<double>::infinity();
    for (std::int64_t lane = 0; lane < count; ++lane) to[lane] = from[lane];
  }

  [[gnu::always_inline]] static double sumOf(const Doubles& lanes) {
    double sum = 0.0;
    for (int lane = 0; lane < kLanes; ++lane) sum += lanes[lane];
    return sum;
  }
  [[gnu::always_inline]] static double maxOf(const Doubles& lanes) {
    double max = lanes[0];
    for (int lane = 1; lane < kLanes; ++lane) max = lanes[lane] > max ? lanes[lane] : max;
    return max;
  }
  [[gnu::always_inline]] static bool any(const Words& mask) {
    std::int64_t bits = 0;
    for (int lane = 0; lane < kLanes; ++lane) bits |= mask[lane];
    return bits != 0;
  }

  /// 1/n!
  static constexpr double inverseFactorial(int n) {
    double product = 1.0;
    for (int factor = 2; factor <= n; ++factor) product *= factor;
    return 1.0 / product;
  }

  /// exp(x) to `Degree` terms: 13 leave less than the rounding of double, 9 less than
  /// 1e-11. Zero below −708; x is taken as at most 709; NaN stays NaN.
  template <int Degree>
  [[gnu::always_inline]] static void exponential(const Doubles& x, Doubles& result) {
    // Adding 1.5·2^52 leaves the nearest integer in the low bits.
    constexpr double kRound = 0x1.8p52, kLog2E = 0x1.71547652b82fep0;
    // The upper part of log 2 has 32 bits, so that its products with integers are exact.
    constexpr double kLog2Upper = 0x1.62e42feep-1, kLog2Lower = 0x1.a39ef35793c76p-33;
    const Doubles above = x < -708.0 ? Doubles{} - 708.0 : x;
    const Doubles clamped = above > 709.0 ? Doubles{} + 709.0 : above;
    const Doubles shifted = clamped * kLog2E + kRound;
    const Doubles integer = shifted - kRound;
    const Doubles rest = clamped - integer * kLog2Upper - integer * kLog2Lower;
    Doubles series = Doubles{} + inverseFactorial(Degree);
#pragma GCC unroll 16
    for (int n = Degree - 1; n >= 0; --n) series = series * rest + inverseFactorial(n);
    const Words power = (reinterpret_cast<Words>(shifted) + 1023) << 52;
    const Doubles scaled = series * reinterpret_cast<Doubles>(power);
    result = x < -708.0 ? Doubles{} : scaled;
  }

  /// exp(x) − 1 − x for |x| ≤ ¼ without cancellation.
  template <int Degree>
  [[gnu::always_inline]] static void exponentialBeyondLinear(const Doubles& x,
                                                             Doubles& result) {
    Doubles series = Doubles{} + inverseFactorial(Degree);
#pragma GCC unroll 16
    for (int n = Degree - 1; n >= 2; --n) series = series * x + inverseFactorial(n);
    result = series * x * x;
  }

  /// Terms of the series that the accuracy of T deserves.
  template <typename T>
  static constexpr int kDegree = sizeof(T) == sizeof(float) ? 9 : 13;

  template <typename T>
  static LogitChunk summarise(const T* logits, std::int64_t count) {
    Doubles max = Doubles{} - std::numeric_limits<double>::infinity(), x;
    Words strange{};
    for (std::int64_t at = 0; at < count; at += kLanes) {
      if (count - at >= kLanes) {
        load(logits + at, x);
      } else {
        loadRest(logits + at, count - at, x);
        for (std::int64_t lane = count - at; lane < kLanes; ++lane) x[lane] = logits[at];
      }
      max = x > max ? x : max;
      strange |= x - x != 0.0;
    }
    LogitChunk chunk{.max = maxOf(max), .finite = !any(strange)};
    const bool usable = chunk.max - chunk.max == 0.0;
    const Doubles reference = Doubles{} + (usable ? chunk.max : 0.0);
    Doubles sum{}, term;
    for (std::int64_t at = 0; at < count; at += kLanes) {
      count - at >= kLanes ? load(logits + at, x) : loadRest(logits + at, count - at, x);
      exponential<kDegree<T>>(x - reference, term);
      sum += term;
    }
    chunk.sum = sumOf(sum);
    return chunk;
  }

  struct Accumulated {
    Doubles linf, distance, divergence;
  };

  /// Adds the terms of eight tokens; d = log q − log p. Where d is small, q − p = p (e^d
  /// − 1) keeps the digits that the difference of q and p would lose, and so does the
  /// divergence Σ p (e^d − 1 − d), whose every term is positive (it is Σ p (log p − log
  /// q), because Σ q = Σ p).
  template <typename T>
  [[gnu::always_inline]] static void accumulate(const Doubles& logP, const Doubles& logQ,
                                                const Doubles& d, Accumulated& sums) {
    Doubles p, beyond;
    exponential<kDegree<T>>(logP, p);
    exponentialBeyondLinear<kDegree<T>>(d, beyond);
    Doubles distance = p * (d + beyond), divergence = p * beyond;
    const Words near = (d <= 0.25) & (d >= -0.25);
    if (any(~near)) {
      Doubles q;
      exponential<kDegree<T>>(logQ, q);
      const Doubles linear = p == 0.0 ? Doubles{} : p * d;
      distance = near ? distance : q - p;
      divergence = near ? divergence : q - p - linear;
    }
    sums.distance += distance < 0.0 ? -distance : distance;
    sums.divergence += divergence;
  }

  template <typename T>
  static DifferenceChunk compare(const LogitPair<T>& pair) {
    Accumulated sums{};
    Doubles a, b;
    for (std::int64_t at = 0; at < pair.count; at += kLanes) {
      const std::int64_t rest = pair.count - at;
      rest >= kLanes ? load(pair.a + at, a) : loadRest(pair.a + at, rest, a);
      rest >= kLanes ? load(pair.b + at, b) : loadRest(pair.b + at, rest, b);
      // Equal infinities differ by nothing.
      const Doubles difference = a == b ? Doubles{} : b - a;
      const Doubles magnitude = difference < 0.0 ? -difference : difference;
      sums.linf = magnitude > sums.linf ? magnitude : sums.linf;
      accumulate<T>(a - pair.logSumExpA, b - pair.logSumExpB,
                    difference - (pair.logSumExpB - pair.logSumExpA), sums);
    }
    return {maxOf(sums.linf), sumOf(sums.distance), sumOf(sums.divergence)};
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
  static constexpr LogitCode<T> code() {
    return {&summarise<T>, &compare<T>, &findGreater<T>};
  }
};

}  // namespace equipatch
