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
#pragma GCC target("avx512f,avx512bw,avx2,fma,f16c")
#include "core/kernel/dot_tile.h"
#include "core/kernel/logit_loops.h"
#include "core/kernel/patch_row.h"

namespace equipatch {
namespace {

// Sums of a tile, its weights and the vectors of x share 32 registers.
constexpr int kOutputs[kRowsPerBatch] = {8, 6, 6, 4};

struct FloatLanes {
  using Scalar = float;
  using Vector = __m512;
  static constexpr int kWidth = 16;
  static constexpr int outputsPerTile(int rows) { return kOutputs[rows - 1]; }
  static constexpr int source(int slot) { return slot; }

  static Vector set(const float* from) { return _mm512_load_ps(from); }
  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) {
    return _mm512_fmadd_ps(a, b, sum);
  }
  static void store(float* to, Vector vector) { _mm512_storeu_ps(to, vector); }
  static float sum(Vector vector) { return _mm512_reduce_add_ps(vector); }
};

struct F32 : FloatLanes {
  using Weight = float;
  static float value(float weight) { return weight; }
  static float round(float value) { return value; }
  static void patch(const PatchedRow<float>& row) { patchRow<F32>(row); }
  static constexpr int kVectors = 1;
  static void load(const Weight* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm512_loadu_ps(weights);
  }
};

// A register of 32 weights is 16 words; their upper halves are the odd weights, already
// in place, and their lower halves the even ones. So even and odd weights are separated,
// and the rows of x are packed to match: one operation for 16 weights instead of two.
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
    const __m512i words = _mm512_loadu_si512(weights);
    vectors[0] = _mm512_castsi512_ps(_mm512_slli_epi32(words, 16));
    vectors[1] = _mm512_castsi512_ps(
        _mm512_and_si512(words, _mm512_set1_epi32(static_cast<int>(0xffff0000u))));
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
        _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights)));
  }
};

struct F64 {
  using Scalar = double;
  using Weight = double;
  static double value(double weight) { return weight; }
  static double round(double value) { return value; }
  static void patch(const PatchedRow<double>& row) { patchRow<F64>(row); }
  using Vector = __m512d;
  static constexpr int kVectors = 1;
  static constexpr int kWidth = 8;
  static constexpr int outputsPerTile(int rows) { return kOutputs[rows - 1]; }
  static constexpr int source(int slot) { return slot; }

  static void load(const double* weights, Vector (&vectors)[kVectors]) {
    vectors[0] = _mm512_loadu_pd(weights);
  }
  static Vector set(const double* from) { return _mm512_load_pd(from); }
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) {
    return _mm512_fmadd_pd(a, b, sum);
  }
  static void store(double* to, Vector vector) { _mm512_storeu_pd(to, vector); }
  static double sum(Vector vector) { return _mm512_reduce_add_pd(vector); }
};

}  // namespace

const VectorCode& vectorCodeAvx512() {
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
