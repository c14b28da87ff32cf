#include "core/kernel/weight_products.h"

#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"
#include "core/kernel/scratch.h"

namespace equipatch {
namespace {

template <typename T>
void product(const WeightMatrix& W, DotTask<T> task, const T* x) {
  const WeightKernels<T>& code = weightKernels<T>(W.dtype);
  if (task.rows <= 0 || W.outputs <= 0) return;
  const std::int64_t padded = (W.inputs + code.block - 1) / code.block * code.block;
  static thread_local Scratch scratch;
  T* packed = scratch.of<T>(static_cast<std::size_t>(task.rows * padded));
  code.pack(x, task.rows, W.inputs, packed);
  task.packed = packed;
  task.inputs = W.inputs;
  task.yStride = W.outputs;

  const std::int64_t rowBytes = W.inputs * static_cast<std::int64_t>(byteSize(W.dtype));
  parallelRanges({W.outputs, rowBytes, kOutputGrain}, [&](WorkRange outputs) {
    DotTask<T> part = task;
    part.weights = static_cast<const std::byte*>(W.data) + outputs.begin * rowBytes;
    part.outputs = outputs.end - outputs.begin;
    part.y = task.y + outputs.begin;
    code.multiply(part);
  });
}

}  // namespace

void fewRowProduct(const WeightMatrix& W, const float* x, std::int64_t rows, float* y,
                   SummationOrder order) {
  product<float>(W, {.rows = rows, .y = y, .order = order}, x);
}

void fewRowProduct(const WeightMatrix& W, const double* x, std::int64_t rows, double* y,
                   SummationOrder order) {
  product<double>(W, {.rows = rows, .y = y, .order = order}, x);
}

}  // namespace equipatch
