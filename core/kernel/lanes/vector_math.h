// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>

#include "core/kernel/lanes/lanes.h"

namespace equipatch {

/// Exponentials of vectors of doubles. No operation is fused, so every instruction set
/// gives the same bits.
template <DoubleVectors V>
struct VectorMath {
  using Doubles = typename V::Doubles;
  using Words = typename V::Words;
  using Floats = typename V::Floats;
  static constexpr int kWidth = sizeof(Doubles) / sizeof(double);

  [[gnu::always_inline]] static void load(const double* from, Doubles& to) {
    std::memcpy(&to, from, sizeof to);
  }
  [[gnu::always_inline]] static void load(const float* from, Doubles& to) {
    Floats floats;
    std::memcpy(&floats, from, sizeof floats);
    to = V::widen(floats);
  }

  [[gnu::always_inline]] static void store(const Doubles& from, double* to) {
    std::memcpy(to, &from, sizeof from);
  }
  [[gnu::always_inline]] static void store(const Doubles& from, float* to) {
    const Floats floats = V::narrow(from);
    std::memcpy(to, &floats, sizeof floats);
  }

  [[gnu::always_inline]] static bool any(const Words& mask) {
    std::int64_t bits = 0;
    for (int lane = 0; lane < kWidth; ++lane) bits |= mask[lane];
    return bits != 0;
  }

  static constexpr double inverseFactorial(int n) {
    double product = 1.0;
    for (int factor = 2; factor <= n; ++factor) product *= factor;
    return 1.0 / product;
  }

  // The functions take several vectors at once, so that the processor overlaps their
  // chains of dependent operations.

  /// exp(x) = 2^n exp(r), where n is the integer nearest to x / ln 2, and r = x − n ln 2.
  /// The series of exp(r) ends at r^Degree. For Degree 13 the truncation error is less
  /// than the rounding error of double, for Degree 9 less than 1e-11, relative to exp(x).
  /// 0 below −708, exp(709) above 709, NaN for NaN.
  template <int Degree, int Count>
  [[gnu::always_inline]] static void exponential(const Doubles (&x)[Count],
                                                 Doubles (&result)[Count]) {
    // The low bits of y + 1.5·2^52 hold the integer nearest to y.
    constexpr double kRound = 0x1.8p52, kLog2E = 0x1.71547652b82fep0;
    // kLog2Upper has 32 significant bits. Therefore its product with an integer of at
    // most 21 bits is exact.
    constexpr double kLog2Upper = 0x1.62e42feep-1, kLog2Lower = 0x1.a39ef35793c76p-33;
    Doubles shifted[Count], rest[Count], series[Count];
    for (int i = 0; i < Count; ++i) {
      const Doubles above = x[i] < -708.0 ? Doubles{} - 708.0 : x[i];
      const Doubles clamped = above > 709.0 ? Doubles{} + 709.0 : above;
      shifted[i] = clamped * kLog2E + kRound;
      const Doubles integer = shifted[i] - kRound;
      rest[i] = clamped - integer * kLog2Upper - integer * kLog2Lower;
    }
    powerSeries<Degree, 0>(rest, series);
    for (int i = 0; i < Count; ++i) {
      const Words power = (reinterpret_cast<Words>(shifted[i]) + 1023) << 52;
      const Doubles scaled = series[i] * reinterpret_cast<Doubles>(power);
      result[i] = x[i] < -708.0 ? Doubles{} : scaled;
    }
  }

  /// exp(x) − 1 − x for |x| ≤ ¼ without cancellation.
  template <int Degree, int Count>
  [[gnu::always_inline]] static void exponentialBeyondLinear(const Doubles (&x)[Count],
                                                             Doubles (&result)[Count]) {
    Doubles series[Count];
    powerSeries<Degree, 2>(x, series);
    for (int i = 0; i < Count; ++i) result[i] = series[i] * x[i] * x[i];
  }

 private:
  /// Σ x^(n − First) / n! over n from First to Degree.
  template <int Degree, int First, int Count>
  [[gnu::always_inline]] static void powerSeries(const Doubles (&x)[Count],
                                                 Doubles (&series)[Count]) {
    for (Doubles& sum : series) sum = Doubles{} + inverseFactorial(Degree);
#pragma GCC unroll 16
    for (int n = Degree - 1; n >= First; --n)
      for (int i = 0; i < Count; ++i) series[i] = series[i] * x[i] + inverseFactorial(n);
  }
};

}  // namespace equipatch
