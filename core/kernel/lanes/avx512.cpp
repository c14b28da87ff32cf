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
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx2,fma,f16c"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx2,fma,f16c")
#endif
#include "core/kernel/lanes/make_table.h"

namespace equipatch {
namespace {

// The sums of more outputs would fit into the registers, but four long streams of weights
// are read faster than more streams (docs/performance.md).
constexpr int kOutputs = 4;

constexpr int stripFor(int rows) {
  return rows <= 2 ? 8 : 4;
}

struct FloatLanes {
  using Scalar = float;
  using Vector = __m512;
  static constexpr int kWidth = 16;
  static constexpr int outputsPerTile(int) { return kOutputs; }
  static constexpr int vectorsPerStrip(int rows) { return stripFor(rows); }
  static constexpr int inputOf(int slot) { return slot; }

  static Vector load(const float* from) { return _mm512_loadu_ps(from); }
  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector broadcast(float value) { return _mm512_set1_ps(value); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) {
    return _mm512_fmadd_ps(a, b, sum);
  }
  static void store(float* to, Vector vector) { _mm512_storeu_ps(to, vector); }
  static float sum(Vector vector) { return _mm512_reduce_add_ps(vector); }
  static void loadCodes(const std::uint8_t* bytes, Vector scale, Vector (&values)[2]) {
    const Vector table = multiply(scale, load(kMxfp4Values.data()));
    const __m512i words =
        _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    // The permutation uses only the lowest four bits of a word.
    values[0] = _mm512_permutexvar_ps(words, table);
    values[1] = _mm512_permutexvar_ps(_mm512_srli_epi32(words, 4), table);
  }
};

struct F32 : FloatLanes {
  using Weight = float;
  static constexpr int kVectors = 1;
  static void loadWeights(const Weight* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm512_loadu_ps(weights);
  }
  static Vector roundToWeight(Vector value) { return value; }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    _mm512_storeu_ps(weights, vectors[0]);
  }
};

// A 32-bit word holds two weights. A shift widens the even weight to float32; a mask
// widens the odd weight. Even and odd weights thus get separate vectors, and `arrange`
// puts x into the same order. Widening in order would take two operations a vector.
struct Bf16 : FloatLanes {
  using Weight = std::uint16_t;
  static constexpr int kUpper = static_cast<int>(0xffff0000u);
  // The sums, a block of each row of x, a block of weights and kMxfp4Values fit into the
  // registers.
  static constexpr int mxfp4OutputsPerTile(int rows) {
    return rows == 1 ? 12 : rows == 2 ? 8 : rows == 3 ? 6 : 4;
  }
  static constexpr bool kGainsByNarrowInputs = true;
  static constexpr int kVectors = 2;
  static constexpr int inputOf(int slot) {
    return slot < kWidth ? 2 * slot : 2 * (slot - kWidth) + 1;
  }
  static void arrange(const float* from, float* to) {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    const Vector first = load(from), second = load(from + kWidth);
    store(to, _mm512_permutex2var_ps(first, even, second));
    store(to + kWidth, _mm512_permutex2var_ps(first, odd, second));
  }
  static void loadWeights(const Weight* weights, Vector (&vectors)[kVectors]) {
    const __m512i words = _mm512_loadu_si512(weights);
    vectors[0] = _mm512_castsi512_ps(_mm512_slli_epi32(words, 16));
    vectors[1] = _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32(kUpper)));
  }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    const __m512i even = _mm512_srli_epi32(_mm512_castps_si512(vectors[0]), 16);
    const __m512i odd = _mm512_castps_si512(vectors[1]);
    _mm512_storeu_si512(weights, _mm512_mask_blend_epi16(0xaaaaaaaau, even, odd));
  }
  static Vector roundToWeight(Vector value) {
    const __m512i bits = _mm512_castps_si512(value);
    const __m512i odd =
        _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i sum =
        _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
    const __mmask16 isNaN = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
    const __m512i result =
        _mm512_mask_or_epi32(sum, isNaN, bits, _mm512_set1_epi32(0x00400000));
    return _mm512_castsi512_ps(_mm512_and_si512(result, _mm512_set1_epi32(kUpper)));
  }
};

struct F16 : FloatLanes {
  using Weight = std::uint16_t;
  static constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  static constexpr int kVectors = 1;
  static void loadWeights(const Weight* weights, Vector (&vectors)[kVectors]) {
    vectors[0] =
        _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights)));
  }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(weights),
                        _mm512_cvtps_ph(vectors[0], kNearest));
  }
  static Vector roundToWeight(Vector value) {
    return _mm512_cvtph_ps(_mm512_cvtps_ph(value, kNearest));
  }
};

struct F64 {
  using Scalar = double;
  using Weight = double;
  using Vector = __m512d;
  static constexpr int kVectors = 1;
  static constexpr int kWidth = 8;
  static constexpr int outputsPerTile(int) { return kOutputs; }
  static constexpr int vectorsPerStrip(int rows) { return stripFor(rows); }
  static constexpr int inputOf(int slot) { return slot; }

  static void loadWeights(const double* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm512_loadu_pd(weights);
  }
  static Vector roundToWeight(Vector value) { return value; }
  static void storeWeights(Weight* weights, const Vector (&vectors)[kVectors]) {
    _mm512_storeu_pd(weights, vectors[0]);
  }
  static Vector load(const double* from) { return _mm512_loadu_pd(from); }
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector broadcast(double value) { return _mm512_set1_pd(value); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) {
    return _mm512_fmadd_pd(a, b, sum);
  }
  static void store(double* to, Vector vector) { _mm512_storeu_pd(to, vector); }
  static double sum(Vector vector) { return _mm512_reduce_add_pd(vector); }
};

struct Vectors {
  using Doubles [[gnu::vector_size(64)]] = double;
  using Words [[gnu::vector_size(64)]] = std::int64_t;
  using Floats [[gnu::vector_size(32)]] = float;

  static Doubles widen(Floats floats) { return _mm512_cvtps_pd(floats); }
  static Floats narrow(Doubles doubles) { return _mm512_cvtpd_ps(doubles); }
  static Floats loadBfloat16(const std::uint16_t* from) {
    const __m256i bits =
        _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(bits, 16));
  }
  static Floats loadFloat16(const std::uint16_t* from) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
};

static_assert(Lanes<F32> && Lanes<Bf16> && Lanes<F16> && Lanes<F64>);
static_assert(DoubleVectors<Vectors>);

}  // namespace

const KernelTable& kernelTableAvx512() {
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
