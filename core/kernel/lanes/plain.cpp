#include "core/kernel/gate_loop.h"
#include "core/kernel/half_float.h"
#include "core/kernel/kernel_table.h"
#include "core/kernel/logit_loops.h"
#include "core/kernel/multiply_rows.h"
#include "core/kernel/vector_math.h"

namespace equipatch {
namespace {

// The compiler's own vectors of 16 bytes, which every target has or emulates.
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
  static constexpr int source(int slot) { return slot; }

  static void load(const T* weights, Vector (&vectors)[kVectors]) {
    for (int part = 0; part < kVectors; ++part)
      vectors[part] = loadUnaligned(weights + part * kWidth);
  }
  static Vector set(const T* from) { return loadUnaligned(from); }
  static Vector zero() { return Vector{}; }
  static void put(T* weights, const Vector (&vectors)[kVectors]) {
    std::memcpy(weights, vectors, sizeof vectors);
  }
  static Vector rounded(Vector value) { return value; }
  static Vector broadcast(T value) { return Vector{} + value; }
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

/// Weights of two bytes; Derived gives value and round.
template <typename Derived>
struct PlainHalfLanes : PlainLanes<float> {
  using Weight = std::uint16_t;
  static void load(const Weight* weights, Vector (&vectors)[kVectors]) {
    float values[kVectors * kWidth];
    for (int slot = 0; slot < kVectors * kWidth; ++slot)
      values[slot] = Derived::value(weights[slot]);
    PlainLanes<float>::load(values, vectors);
  }
  static void put(Weight* weights, const Vector (&vectors)[kVectors]) {
    float values[kVectors * kWidth];
    PlainLanes<float>::put(values, vectors);
    for (int slot = 0; slot < kVectors * kWidth; ++slot)
      weights[slot] = Derived::round(values[slot]);
  }
  static Vector rounded(Vector value) {
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

struct Here {
  using Doubles [[gnu::vector_size(16)]] = double;
  using Words [[gnu::vector_size(16)]] = std::int64_t;
  using Floats [[gnu::vector_size(8)]] = float;
};

}  // namespace

const KernelTable& kernelTablePlain() {
  static constexpr KernelTable kCode{.f32 = weightKernelsOf<PlainLanes<float>>(),
                                     .bf16 = weightKernelsOf<PlainBf16>(),
                                     .f16 = weightKernelsOf<PlainF16>(),
                                     .f64 = weightKernelsOf<PlainLanes<double>>(),
                                     .logitsF32 = LogitLoops<Here>::code<float>(),
                                     .logitsF64 = LogitLoops<Here>::code<double>(),
                                     .gateF32 = &GateLoop<Here>::run<float>,
                                     .gateF64 = &GateLoop<Here>::run<double>};
  return kCode;
}

}  // namespace equipatch
