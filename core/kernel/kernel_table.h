#pragma once

#include <cstdint>
#include <span>

#include "core/base/dtype.h"
#include "core/kernel/kernel_table.h"
#include "core/kernel/weight_products.h"
#include "core/kernel/row_operations.h"

namespace equipatch {

/// Rows of x that are multiplied together, held in registers beside the weights.
inline constexpr std::int64_t kRowsPerBatch = 4;

/// Ranges of outputs that begin at multiples of this consist of whole tiles.
inline constexpr std::int64_t kOutputGrain = 48;

/// Some consecutive rows of a weight matrix times all rows of a packed x.
template <typename T>
struct DotTask {
  const void* weights = nullptr;  ///< [outputs, inputs] in the code's dtype
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
  const T* packed = nullptr;  ///< as `pack` made it, 64-byte aligned
  std::int64_t rows = 0;
  T* y = nullptr;  ///< element (row, output) at y[row * yStride + output]
  std::int64_t yStride = 0;
  SummationOrder order = SummationOrder::Standard;
  const T* u = nullptr;        ///< [outputs], for multiplyPatched
  const T* packedW = nullptr;  ///< of w [inputs], for multiplyPatched
};

/// One row of round(W + u wᵀ).
template <typename T>
struct PatchedRow {
  const void* weights = nullptr;  ///< [inputs] in the code's dtype
  T u = 0;
  const T* packedW = nullptr;  ///< as `pack` makes it of the one row w
  std::int64_t inputs = 0;
  void* out = nullptr;  ///< [inputs] in the code's dtype
};

/// Some columns of y = p V.
template <typename T>
struct SumTask {
  const void* values =
      nullptr;             ///< V from the first of the columns on, in the code's dtype
  std::int64_t count = 0;  ///< of V's rows
  std::int64_t width = 0;  ///< of V and y: from a row to the next
  std::int64_t columns = 0;
  const T* p = nullptr;  ///< [rows, count]
  std::int64_t rows = 0;
  T* y = nullptr;  ///< the first column's
  SummationOrder order = SummationOrder::Standard;
};

/// What is done with weights of one dtype on one kind of CPU. The operations behind an
/// element of y and their order are fixed by its row of x, its row of weights and the
/// order of summation.
template <typename T>
struct WeightKernels {
  std::int64_t block = 1;  ///< rows of x are padded to a multiple of this
  /// x [rows, inputs] → packed, of rows × padded inputs elements.
  void (*pack)(const T* x, std::int64_t rows, std::int64_t inputs, T* packed) = nullptr;
  void (*multiply)(const DotTask<T>& task) = nullptr;
  /// The one row of x times round(W + u wᵀ), with the bits that `multiply` gives on what
  /// `patch` writes.
  void (*multiplyPatched)(const DotTask<T>& task) = nullptr;
  void (*patch)(const PatchedRow<T>& row) = nullptr;
  void (*mix)(const SumTask<T>& task) = nullptr;
  /// The nearest number in the code's dtype of each of `count`; `to` may be `from`.
  void (*round)(const T* from, std::int64_t count, T* to) = nullptr;
};

struct LogitChunk {
  double max = 0.0;
  double sum = 0.0;  ///< Σ exp(logit − max), or − 0 where the maximum is infinite
  bool finite = true;
};

template <typename T>
struct LogitPair {
  const T* a = nullptr;  ///< [count]
  const T* b = nullptr;  ///< [count]
  std::int64_t count = 0;
  double logSumExpA = 0.0;
  double logSumExpB = 0.0;
};

struct DifferenceChunk {
  double linf = 0.0;
  double distance = 0.0;    ///< Σ |p − q|
  double divergence = 0.0;  ///< Σ p (log p − log q) + q − p
};

/// Passes over a piece of a row of logits. Every instruction set gives the same bits.
template <typename T>
struct LogitKernels {
  LogitChunk (*summarise)(const T* logits, std::int64_t count) = nullptr;
  DifferenceChunk (*compare)(const LogitPair<T>& pair) = nullptr;
  /// Index of the first value from `from` on that is greater, or the size.
  std::int64_t (*findGreater)(std::span<const T> values, std::int64_t from,
                              T threshold) = nullptr;
};

/// y = x σ(a x + b x³) of `count` numbers; y may be x. Every instruction set gives the same bits.
template <typename T>
using GateKernel = void (*)(SelfGate gate, const T* x, std::int64_t count, T* y);

/// All inner loops, compiled for one instruction set.
struct KernelTable {
  WeightKernels<float> f32;
  WeightKernels<float> bf16;
  WeightKernels<float> f16;
  WeightKernels<double> f64;
  LogitKernels<float> logitsF32;
  LogitKernels<double> logitsF64;
  GateKernel<float> gateF32 = nullptr;
  GateKernel<double> gateF64 = nullptr;
};

const KernelTable& kernelTablePlain();
const KernelTable& kernelTableAvx2();    ///< in programs for x86-64 only
const KernelTable& kernelTableAvx512();  ///< likewise

/// The code of `instructionSet()`.
const KernelTable& kernelTable();

/// The code for weights of `dtype` with rows of type T; refuses a pair that
/// WeightMatrix does not name.
template <typename T>
const WeightKernels<T>& weightKernels(DType dtype);

}  // namespace equipatch
