// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cstring>

#include "core/kernel/half_float.h"
#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/make_table.h"

namespace equipatch {
namespace {

// The compiler emulates these vectors on targets that have none of 16 bytes.
template <typename T>
using Native [[gnu::vector_size(16)]] = T;

template <typename T>
Native<T> loadUnaligned(const T* from) {
  Native<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <typename T>
struct PlainLanes {
  using Scalar = T;
  using Weight = T;
  using Vector = Native<T>;
  static constexpr int kVectors = 2;
  static constexpr int kWidth = 16 / sizeof(T);
  static constexpr int outputsPerTile(int rows) { return rows == 1 ? 4 : 2; }
  static constexpr int vectorsPerStrip(int rows) { return rows <= 2 ? 4 : 2; }
  static constexpr int inputOf(int slot) { return slot; }

  static void loadWeights(const T* weights, Vector (&vectors)[kVectors]) {
    for (int part = 0; part < kVectors; ++part)
      vectors[part] = loadUnaligned(weights + part * kWidth);
  }
  static Vector load(const T* from) { return loadUnaligned(from); }
  static Vector zero() { return Vector{}; }
  static void storeWeights(T* weights, const Vector (&vectors)[kVectors]) {
    std::memcpy(weights, vectors, sizeof vectors);
  }
  static Vector roundToWeight(Vector value) { return value; }
  static Vector broadcast(T value) { return value - Vector{}; }  // adding 0 would lose −0
  static Vector add(Vector a, Vector b) { return a + b; }
  static Vector multiply(Vector a, Vector b) { return a * b; }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) { return a * b + sum; }
  static void store(T* to, Vector vector) { std::memcpy(to, &vector, sizeof vector); }
  static T sum(Vector vector) {
    T lanes[kWidth];
    store(lanes, vector);
    for (int half = kWidth / 2; half > 0; half /= 2)
      for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    return lanes[0];
  }
};

struct PlainF32 : PlainLanes<float> {
  static void loadCodes(const std::uint8_t* bytes, Vector scale, Vector (&values)[2]) {
    float low[kWidth], high[kWidth];
    for (int byte = 0; byte < kWidth; ++byte) {
      low[byte] = kMxfp4Values[bytes[byte] & 15U];
      high[byte] = kMxfp4Values[bytes[byte] >> 4U];
    }
    values[0] = loadUnaligned(low) * scale;
    values[1] = loadUnaligned(high) * scale;
  }
};

/// Weights of two bytes; Derived has value(Weight) and round(float).
template <typename Derived>
struct PlainHalfLanes : PlainLanes<float> {
  using Weight = std::uint16_t;
  static void loadWeights(const Weight* weights, Vector (&vectors)[kVectors]) {
    float values[kVectors * kWidth];
    for (int slot = 0; slot < kVectors * kWidth; ++slot)
      values[slot] = Derived::value(weights[slot]);
    PlainLanes<float>::loadWeights(values, vectors);
  }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    float values[kVectors * kWidth];
    PlainLanes<float>::storeWeights(values, vectors);
    for (int slot = 0; slot < kVectors * kWidth; ++slot)
      weights[slot] = Derived::round(values[slot]);
  }
  static Vector roundToWeight(Vector value) {
    float values[kWidth];
    store(values, value);
    for (float& lane : values) lane = Derived::value(Derived::round(lane));
    return loadUnaligned(values);
  }
};

struct PlainBf16 : PlainHalfLanes<PlainBf16> {
  static float value(Weight weight) { return bfloat16Value(weight); }
  static Weight round(float value) { return bfloat16Bits(value); }
};

struct PlainF16 : PlainHalfLanes<PlainF16> {
  static float value(Weight weight) { return float16Value(weight); }
  static Weight round(float value) { return float16Bits(value); }
};

struct Vectors {
  using Doubles [[gnu::vector_size(16)]] = double;
  using Words [[gnu::vector_size(16)]] = std::int64_t;
  using Floats [[gnu::vector_size(8)]] = float;

  static Doubles widen(Floats floats) { return __builtin_convertvector(floats, Doubles); }
  static Floats narrow(Doubles doubles) {
    return __builtin_convertvector(doubles, Floats);
  }
  static Floats loadBfloat16(const std::uint16_t* from) {
    return Floats{bfloat16Value(from[0]), bfloat16Value(from[1])};
  }
  static Floats loadFloat16(const std::uint16_t* from) {
    return Floats{float16Value(from[0]), float16Value(from[1])};
  }
};

static_assert(Lanes<PlainF32> && Lanes<PlainBf16> && Lanes<PlainF16> &&
              Lanes<PlainLanes<double>>);
static_assert(DoubleVectors<Vectors>);

}  // namespace

const KernelTable& kernelTablePlain() {
  static constexpr KernelTable kTable =
      makeKernelTable<PlainF32, PlainBf16, PlainF16, PlainLanes<double>, Vectors>();
  return kTable;
}

}  // namespace equipatch
