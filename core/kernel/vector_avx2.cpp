#if defined(__x86_64__)

#include <immintrin.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "core/kernel/half_float.h"
#include "core/kernel/vector_code.h"

// Below all includes but those of templates, so that no function shared with another file
// is compiled for this instruction set.
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#include "core/kernel/dot_tile.h"
#include "core/kernel/logit_loops.h"
#include "core/kernel/patch_row.h"

namespace equipatch {
namespace {

// Sixteen registers: the sums of a tile, its weights and one vector of x must fit.
constexpr int outputsFor(int rows) {
  return rows == 1 ? 4 : 2;
}

struct FloatLanes {
  using Scalar = float;
  using Vector = __m256;
  static constexpr int kWidth = 8;
  static constexpr int outputsPerTile(int rows) { return outputsFor(rows); }
  static constexpr int source(int slot) { return slot; }

  static Vector set(const float* from) { return _mm256_load_ps(from); }
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) {
    return _mm256_fmadd_ps(a, b, sum);
  }
  static void store(float* to, Vector vector) { _mm256_storeu_ps(to, vector); }
  static float sum(Vector vector) {
    __m128 half =
        _mm_add_ps(_mm256_castps256_ps128(vector), _mm256_extractf128_ps(vector, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
  }
};

struct F32 : FloatLanes {
  using Weight = float;
  static float value(float weight) { return weight; }
  static float round(float value) { return value; }
  static void patch(const PatchedRow<float>& row) { patchRow<F32>(row); }
  static constexpr int kVectors = 1;
  static void load(const Weight* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm256_loadu_ps(weights);
  }
};

// Even and odd weights are separated, and the rows of x packed to match: the odd ones are
// already in place in the upper halves of the words that hold a pair.
struct Bf16 : FloatLanes {
  using Weight = std::uint16_t;
  static float value(Weight weight) { return bfloat16Value(weight); }
  static Weight round(float value) { return bfloat16Bits(value); }
  static void patch(const PatchedRow<float>& row) { patchRow<Bf16>(row); }
  static constexpr int kVectors = 2;
  static constexpr int source(int slot) {
    return slot < kWidth ? 2 * slot : 2 * (slot - kWidth) + 1;
  }
  static void load(const Weight* weights, Vector (&vectors)[kVectors]) {
    const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights));
    vectors[0] = _mm256_castsi256_ps(_mm256_slli_epi32(words, 16));
    vectors[1] = _mm256_castsi256_ps(
        _mm256_and_si256(words, _mm256_set1_epi32(static_cast<int>(0xffff0000u))));
  }
};

struct F16 : FloatLanes {
  using Weight = std::uint16_t;
  static float value(Weight weight) { return float16Value(weight); }
  static Weight round(float value) { return float16Bits(value); }
  static void patch(const PatchedRow<float>& row) { patchRow<F16>(row); }
  static constexpr int kVectors = 1;
  static void load(const Weight* weights, Vector (&vectors)[kVectors]) {
    vectors[0] =
        _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
  }
};

struct F64 {
  using Scalar = double;
  using Weight = double;
  static double value(double weight) { return weight; }
  static double round(double value) { return value; }
  static void patch(const PatchedRow<double>& row) { patchRow<F64>(row); }
  using Vector = __m256d;
  static constexpr int kVectors = 1;
  static constexpr int kWidth = 4;
  static constexpr int outputsPerTile(int rows) { return outputsFor(rows); }
  static constexpr int source(int slot) { return slot; }

  static void load(const double* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm256_loadu_pd(weights);
  }
  static Vector set(const double* from) { return _mm256_load_pd(from); }
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) {
    return _mm256_fmadd_pd(a, b, sum);
  }
  static void store(double* to, Vector vector) { _mm256_storeu_pd(to, vector); }
  static double sum(Vector vector) {
    const __m128d half =
        _mm_add_pd(_mm256_castpd256_pd128(vector), _mm256_extractf128_pd(vector, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
  }
};

}  // namespace

const VectorCode& vectorCodeAvx2() {
  static constexpr VectorCode kCode{.f32 = weightCodeOf<F32>(),
                                    .bf16 = weightCodeOf<Bf16>(),
                                    .f16 = weightCodeOf<F16>(),
                                    .f64 = weightCodeOf<F64>(),
                                    .logitsF32 = LogitLoops<F32>::code<float>(),
                                    .logitsF64 = LogitLoops<F64>::code<double>()};
  return kCode;
}

}  // namespace equipatch

#pragma GCC pop_options
#endif
