// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(__x86_64__)

#include <immintrin.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "core/kernel/half_float.h"
#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/lanes.h"

// All functions below the pragma are compiled for this instruction set. Headers with
// functions that other sources share must therefore be included above it.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif
#include "core/kernel/lanes/make_table.h"

namespace equipatch {
namespace {

// A tile needs outputs × rows registers for its sums, min(outputs, rows) registers for
// one operand (weights or x) and one register for the other. There are 16 registers.
constexpr int outputsFor(int rows) {
  return rows <= 3 ? 4 : 3;
}

// A strip has eight sums (rows × vectors), or six for three rows. With fewer sums, an
// addition would wait for the previous addition to the same sum.
constexpr int stripFor(int rows) {
  return rows == 1 ? 8 : rows == 2 ? 4 : 2;
}

struct FloatLanes {
  using Scalar = float;
  using Vector = __m256;
  static constexpr int kWidth = 8;
  static constexpr int outputsPerTile(int rows) { return outputsFor(rows); }
  static constexpr int vectorsPerStrip(int rows) { return stripFor(rows); }
  static constexpr int inputOf(int slot) { return slot; }

  static Vector load(const float* from) { return _mm256_loadu_ps(from); }
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector broadcast(float value) { return _mm256_set1_ps(value); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
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
  static void loadCodes(const std::uint8_t* bytes, Vector scale, Vector (&values)[2]) {
    const Vector magnitudes = multiply(scale, load(kMxfp4Values.data()));
    const __m256i words =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes)));
    values[0] = valuesOf(words, magnitudes);
    values[1] = valuesOf(_mm256_srli_epi32(words, 4), magnitudes);
  }
  /// The permutation uses only the lowest three bits of a word; bit 3 is the sign.
  static Vector valuesOf(__m256i words, Vector magnitudes) {
    const Vector signs = _mm256_castsi256_ps(_mm256_slli_epi32(words, 28));
    return _mm256_or_ps(_mm256_permutevar8x32_ps(magnitudes, words),
                        _mm256_and_ps(signs, _mm256_set1_ps(-0.0F)));
  }
};

struct F32 : FloatLanes {
  using Weight = float;
  static constexpr int kVectors = 1;
  static void loadWeights(const Weight* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm256_loadu_ps(weights);
  }
  static Vector roundToWeight(Vector value) { return value; }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    _mm256_storeu_ps(weights, vectors[0]);
  }
};

// A 32-bit word holds two weights. A shift widens the even weight to float32; a mask
// widens the odd weight. Even and odd weights thus get separate vectors, and `arrange`
// puts x into the same order.
struct Bf16 : FloatLanes {
  using Weight = std::uint16_t;
  static constexpr int kUpper = static_cast<int>(0xffff0000u);
  // One less than `outputsFor` for three and four rows: the mask kUpper takes a register.
  static constexpr int outputsPerTile(int rows) {
    return rows <= 2 ? 4 : rows == 3 ? 3 : 2;
  }
  static constexpr int mxfp4OutputsPerTile(int rows) { return rows <= 2 ? 4 : 2; }
  static constexpr int kVectors = 2;
  static constexpr int inputOf(int slot) {
    return slot < kWidth ? 2 * slot : 2 * (slot - kWidth) + 1;
  }
  static void arrange(const float* from, float* to) {
    const Vector first = load(from), second = load(from + kWidth);
    store(to, inOrder(_mm256_shuffle_ps(first, second, 0x88)));
    store(to + kWidth, inOrder(_mm256_shuffle_ps(first, second, 0xdd)));
  }
  /// Restores the order after a shuffle, which works within each 128-bit half.
  static Vector inOrder(Vector pairs) {
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(pairs), 0xd8));
  }
  static void loadWeights(const Weight* weights, Vector (&vectors)[kVectors]) {
    const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights));
    vectors[0] = _mm256_castsi256_ps(_mm256_slli_epi32(words, 16));
    vectors[1] = _mm256_castsi256_ps(_mm256_and_si256(words, _mm256_set1_epi32(kUpper)));
  }
  static Vector loadPart(const Weight* weights, int part) {
    const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights));
    return _mm256_castsi256_ps(part == 0
                                   ? _mm256_slli_epi32(words, 16)
                                   : _mm256_and_si256(words, _mm256_set1_epi32(kUpper)));
  }
  static Vector loadToRegister(const float* from) {
    Vector vector = load(from);
    asm("" : "+x"(vector));
    return vector;
  }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    const __m256i even = _mm256_srli_epi32(_mm256_castps_si256(vectors[0]), 16);
    const __m256i odd = _mm256_castps_si256(vectors[1]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(weights),
                        _mm256_blend_epi16(even, odd, 0xaa));
  }
  static Vector roundToWeight(Vector value) {
    const __m256i bits = _mm256_castps_si256(value);
    const __m256i odd =
        _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i sum =
        _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x00400000));
    const Vector result =
        _mm256_blendv_ps(_mm256_castsi256_ps(sum), _mm256_castsi256_ps(quiet),
                         _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
    return _mm256_and_ps(result, _mm256_castsi256_ps(_mm256_set1_epi32(kUpper)));
  }
};

struct F16 : FloatLanes {
  using Weight = std::uint16_t;
  static constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  static constexpr int kVectors = 1;
  static void loadWeights(const Weight* weights, Vector (&vectors)[kVectors]) {
    vectors[0] =
        _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
  }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(weights),
                     _mm256_cvtps_ph(vectors[0], kNearest));
  }
  static Vector roundToWeight(Vector value) {
    return _mm256_cvtph_ps(_mm256_cvtps_ph(value, kNearest));
  }
};

struct F64 {
  using Scalar = double;
  using Weight = double;
  using Vector = __m256d;
  static constexpr int kVectors = 1;
  static constexpr int kWidth = 4;
  static constexpr int outputsPerTile(int rows) { return outputsFor(rows); }
  static constexpr int vectorsPerStrip(int rows) { return stripFor(rows); }
  static constexpr int inputOf(int slot) { return slot; }

  static void loadWeights(const double* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm256_loadu_pd(weights);
  }
  static Vector roundToWeight(Vector value) { return value; }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    _mm256_storeu_pd(weights, vectors[0]);
  }
  static Vector load(const double* from) { return _mm256_loadu_pd(from); }
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector broadcast(double value) { return _mm256_set1_pd(value); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
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

struct Vectors {
  using Doubles [[gnu::vector_size(32)]] = double;
  using Words [[gnu::vector_size(32)]] = std::int64_t;
  using Floats [[gnu::vector_size(16)]] = float;

  static Doubles widen(Floats floats) { return _mm256_cvtps_pd(floats); }
  static Floats narrow(Doubles doubles) { return _mm256_cvtpd_ps(doubles); }
  static Floats loadBfloat16(const std::uint16_t* from) {
    const __m128i bits =
        _mm_cvtepu16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
    return _mm_castsi128_ps(_mm_slli_epi32(bits, 16));
  }
  static Floats loadFloat16(const std::uint16_t* from) {
    return _mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  }
};

static_assert(Lanes<F32> && Lanes<Bf16> && Lanes<F16> && Lanes<F64>);
static_assert(DoubleVectors<Vectors>);

}  // namespace

const KernelTable& kernelTableAvx2() {
  static constexpr KernelTable kTable = makeKernelTable<F32, Bf16, F16, F64, Vectors>();
  return kTable;
}

}  // namespace equipatch

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
