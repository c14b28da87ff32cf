#pragma once

#include <cstdint>

#include "core/base/dtype.h"

namespace equipatch {

/// A weight matrix [outputs, inputs], row-major, contiguous, in host memory.
struct WeightMatrix {
  const void* data = nullptr;
  DType dtype = DType::F32;  ///< F32, BF16, F16 with float rows; F64 with double rows
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
};

/// Which of two different orders the terms of each dot product are added in. The
/// difference of two computations that agree but for the order is the rounding noise of
/// the machine.
enum class SummationOrder { Standard, Alternate };

/// y = x Wᵀ for few rows (1 to about 8), accumulated in the type of x and not rounded:
/// x [rows, inputs] → y [rows, outputs]. Reads each weight once for all rows.
///
/// Row i of y depends on row i of x, W and the order alone: not, bit for bit, on the
/// other rows, their number or the number of threads. Comparing passes relies on it.
void fewRowProduct(const WeightMatrix& W, const float* x, std::int64_t rows, float* y,
                   SummationOrder order = SummationOrder::Standard);
void fewRowProduct(const WeightMatrix& W, const double* x, std::int64_t rows, double* y,
                   SummationOrder order = SummationOrder::Standard);

/// Threads the kernels use; at least 1.
void setKernelThreads(int threads);
int kernelThreads();

}  // namespace equipatch
