#pragma once

#include <cstdint>

#include "core/base/dtype.h"
#include "core/kernel/cpu_variant.h"
#include "core/kernel/few_row_product.h"

namespace equipatch {

/// Rows of x that are multiplied together, held in registers beside the weights.
inline constexpr std::int64_t kRowsPerBatch = 4;

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
};

/// The dot products of one dtype on one kind of CPU. The operations behind an element of
/// y and their order are fixed by its row of x, its row of weights and the order of
/// summation.
template <typename T>
struct DotCode {
  std::int64_t block = 1;  ///< rows of x are padded to a multiple of this
  /// x [rows, inputs] → packed, of rows × padded inputs elements.
  void (*pack)(const T* x, std::int64_t rows, std::int64_t inputs, T* packed) = nullptr;
  void (*multiply)(const DotTask<T>& task) = nullptr;
};

/// All inner loops, compiled for one variant.
struct VectorCode {
  DotCode<float> f32;
  DotCode<float> bf16;
  DotCode<float> f16;
  DotCode<double> f64;
};

const VectorCode& vectorCodePlain();
const VectorCode& vectorCodeAvx2();
const VectorCode& vectorCodeAvx512();

/// The code of `cpuVariant()`.
const VectorCode& vectorCode();

/// The dot products for weights of `dtype` with rows of type T; refuses a pair that
/// WeightMatrix does not name.
template <typename T>
const DotCode<T>& dotCode(DType dtype);

}  // namespace equipatch
