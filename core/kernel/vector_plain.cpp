#include "core/kernel/dot_tile.h"
#include "core/kernel/vector_code.h"

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
  static constexpr int source(int slot) { return slot; }

  static void load(const T* weights, Vector (&vectors)[kVectors]) {
    for (int part = 0; part < kVectors; ++part)
      vectors[part] = loadUnaligned(weights + part * kWidth);
  }
  static Vector set(const T* from) { return loadUnaligned(from); }
  static Vector zero() { return Vector{}; }
  static Vector add(Vector a, Vector b) { return a + b; }
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

using Word = std::uint32_t;
using Words = Native<Word>;

template <typename Derived>
struct PlainHalfLanes : PlainLanes<float> {
  using Weight = std::uint16_t;
  static void load(const Weight* weights, Vector (&vectors)[kVectors]) {
    for (int part = 0; part < kVectors; ++part) {
      Words bits;
      for (int lane = 0; lane < kWidth; ++lane)
        bits[lane] = weights[part * kWidth + lane];
      vectors[part] = Derived::toFloat(bits);
    }
  }
};

struct PlainBf16 : PlainHalfLanes<PlainBf16> {
  static Vector toFloat(Words bits) { return reinterpret_cast<Vector>(bits << 16); }
};

struct PlainF16 : PlainHalfLanes<PlainF16> {
  // Moved into place, exponent and mantissa of a float16 are those of a float32 smaller
  // by 2^112; the product with it is exact, for subnormal numbers too.
  static Vector toFloat(Words bits) {
    const Words special = (bits & 0x7c00u) == 0x7c00u ? Words{} + 0x7f800000u : Words{};
    const Vector magnitude = reinterpret_cast<Vector>((bits & 0x7fffu) << 13) * 0x1p112f;
    return reinterpret_cast<Vector>(reinterpret_cast<Words>(magnitude) | special |
                                    (bits & 0x8000u) << 16);
  }
};

}  // namespace

const VectorCode& vectorCodePlain() {
  static constexpr VectorCode kCode{.f32 = dotCodeOf<PlainLanes<float>>(),
                                    .bf16 = dotCodeOf<PlainBf16>(),
                                    .f16 = dotCodeOf<PlainF16>(),
                                    .f64 = dotCodeOf<PlainLanes<double>>()};
  return kCode;
}

}  // namespace equipatch
