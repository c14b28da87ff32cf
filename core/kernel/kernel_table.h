// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/dtype.h"
#include "core/kernel/delta_rule.h"
#include "core/kernel/logit_kernels.h"
#include "core/kernel/mxfp4.h"
#include "core/kernel/row_operations.h"
#include "core/kernel/weight_products.h"

namespace equipatch {

/// The instruction sets that the inner loops are compiled for.
enum class InstructionSet {
  Plain,   ///< the compiler's default for the target: SSE2 on x86-64
  Avx2,    ///< with FMA and F16C
  Avx512,  ///< F and BW
};

bool cpuSupports(InstructionSet set);

/// The widest set that this CPU supports, unless another was forced.
InstructionSet instructionSet();

/// For tests and measurements. The CPU must support `set`; nullopt selects the widest.
void forceInstructionSet(std::optional<InstructionSet> set);

/// The largest number of rows of x in one tile.
inline constexpr std::int64_t kRowsPerBatch = 4;

/// A multiple of every tile's number of outputs.
inline constexpr std::int64_t kOutputGrain = 48;

/// A product of some consecutive rows of a weight matrix with all rows of a packed x.
template <typename T>
struct DotTask {
  const void* weights = nullptr;  ///< [outputs, inputs] in the kernels' dtype
  std::int64_t outputs = 0, inputs = 0;
  const void* packed = nullptr;  ///< x from `pack` or `packNarrow`, 64-byte aligned
  std::int64_t rows = 0;
  T* y = nullptr;  ///< element (row, output) at y[row * yStride + output]
  std::int64_t yStride = 0;
  SummationOrder order = SummationOrder::Standard;
  const T* u = nullptr;        ///< [outputs], for multiplyPatched
  const T* packedW = nullptr;  ///< w [inputs], packed, for multiplyPatched
};

/// Some columns of y = p V.
template <typename T>
struct SumTask {
  const void* values = nullptr;  ///< V [count, width], at the task's first column
  std::int64_t count = 0;        ///< rows of V
  std::int64_t width = 0;        ///< elements from one row to the next, in V and y
  std::int64_t columns = 0;
  const T* p = nullptr;  ///< [rows, count]
  std::int64_t rows = 0;
  T* y = nullptr;  ///< [rows, width], at the task's first column
  SummationOrder order = SummationOrder::Standard;
};

/// The operations on weights of one dtype with one instruction set. The bits of an
/// element of y depend only on the summation order and on its row of x and row of W, in
/// `sumRows` on its row of p and column of V.
template <typename T>
struct WeightKernels {
  std::int64_t block = 1;  ///< `pack` pads rows to a multiple of this
  /// Packs x [rows, inputs]; `packed` has rows × (padded inputs) elements.
  void (*pack)(const T* x, std::int64_t rows, std::int64_t inputs, T* packed) = nullptr;
  void (*multiply)(const DotTask<T>& task) = nullptr;
  /// As `pack`, with packed elements of the kernels' dtype. @returns false if this dtype
  /// cannot represent an element of x; `packed` is then undefined. Null if narrow
  /// elements make no product faster.
  bool (*packNarrow)(const T* x, std::int64_t rows, std::int64_t inputs,
                     void* packed) = nullptr;
  /// As `multiply`, with the same bits, for x from `packNarrow`.
  void (*multiplyNarrow)(const DotTask<T>& task) = nullptr;
  /// round(W + u wᵀ) x for one row x, with the bits that `multiply` gives on the stored
  /// patched matrix.
  void (*multiplyPatched)(const DotTask<T>& task) = nullptr;
  /// @param out [row.inputs] in the kernels' dtype
  void (*expand)(const Mxfp4Row& row, void* out) = nullptr;
  /// At most kRowsPerBatch rows times a matrix in MXFP4, in the standard order, with the
  /// bits that `multiply` gives on the expanded matrix. Uses only packed, rows, y and
  /// yStride of the task. Null if `expand` followed by `multiply` is faster.
  void (*multiplyMxfp4)(const Mxfp4Matrix& W, const DotTask<T>& task) = nullptr;
  void (*sumRows)(const SumTask<T>& task) = nullptr;
  /// Rounds each value to the nearest value of the kernels' dtype; `to` may be `from`.
  void (*round)(const T* from, std::int64_t count, T* to) = nullptr;
  /// Σ x² of `count` weights, in double precision. The same bits in every table.
  double (*squareSum)(const void* weights, std::int64_t count) = nullptr;
};

/// y = x σ(a x + b x³) with a, b from `gate`; y may be x. The same bits in every table.
template <typename T>
using GateKernel = void (*)(SelfGate gate, const T* x, std::int64_t count, T* y);

/// The inner loops, compiled for one instruction set.
struct KernelTable {
  WeightKernels<float> f32;
  WeightKernels<float> bf16;
  WeightKernels<float> f16;
  WeightKernels<double> f64;
  LogitKernels<float> logitsF32;
  LogitKernels<double> logitsF64;
  GateKernel<float> gateF32 = nullptr;
  GateKernel<double> gateF64 = nullptr;
  DeltaKernels delta;
};

const KernelTable& kernelTablePlain();
const KernelTable& kernelTableAvx2();    ///< in programs for x86-64 only
const KernelTable& kernelTableAvx512();  ///< in programs for x86-64 only

/// The kernels of `instructionSet()`.
const KernelTable& kernelTable();

/// The kernels of `kernelTable()` for weights of `dtype` and rows of type T.
/// @throws Error{Unsupported} for a `dtype` that WeightMatrix does not list for T
template <typename T>
const WeightKernels<T>& weightKernels(DType dtype);

}  // namespace equipatch
