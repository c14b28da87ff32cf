#include "core/kernel/weight_products.h"

#include <algorithm>
#include <cstddef>

#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"
#include "core/kernel/scratch.h"

namespace equipatch {
namespace {

template <typename T>
struct PatchedMatrix {
  const WeightMatrix& W;
  const T* u;        // [outputs]
  const T* packedW;  // of w [inputs]

  std::int64_t rowBytes() const {
    return W.inputs * static_cast<std::int64_t>(byteSize(W.dtype));
  }

  void writeRows(WorkRange outputs, std::byte* out) const {
    const WeightKernels<T>& code = weightKernels<T>(W.dtype);
    const auto* weights = static_cast<const std::byte*>(W.data);
    for (std::int64_t output = outputs.begin; output < outputs.end; ++output)
      code.patch({.weights = weights + output * rowBytes(),
                  .u = u[output],
                  .packedW = packedW,
                  .inputs = W.inputs,
                  .out = out + (output - outputs.begin) * rowBytes()});
  }
};

/// W and u wᵀ as they were given.
template <typename T>
struct Patch {
  const WeightMatrix& W;
  const T* u;
  const T* w;

  std::int64_t paddedInputs() const {
    const std::int64_t block = weightKernels<T>(W.dtype).block;
    return (W.inputs + block - 1) / block * block;
  }

  PatchedMatrix<T> packedInto(T* packed) const {
    weightKernels<T>(W.dtype).pack(w, 1, W.inputs, packed);
    return {W, u, packed};
  }
};

template <typename T>
void product(const Patch<T>& patch, const T* x, DotTask<T> task) {
  static thread_local Scratch scratch;
  const WeightMatrix& W = patch.W;
  const std::int64_t padded = patch.paddedInputs();
  T* packed = scratch.of<T>(static_cast<std::size_t>(2 * padded));
  weightKernels<T>(W.dtype).pack(x, 1, W.inputs, packed);
  task.packed = packed;
  task.inputs = W.inputs;
  task.rows = 1;
  task.yStride = W.outputs;
  const PatchedMatrix<T> patched = patch.packedInto(packed + padded);
  task.packedW = patched.packedW;
  parallelRanges({W.outputs, patched.rowBytes(), kOutputGrain}, [&](WorkRange outputs) {
    DotTask<T> part = task;
    part.weights =
        static_cast<const std::byte*>(W.data) + outputs.begin * patched.rowBytes();
    part.outputs = outputs.end - outputs.begin;
    part.u = patched.u + outputs.begin;
    part.y = task.y + outputs.begin;
    weightKernels<T>(W.dtype).multiplyPatched(part);
  });
}

template <typename T>
void writeAllRows(const Patch<T>& patch, WorkRange rows, void* out) {
  static thread_local Scratch scratch;
  const PatchedMatrix<T> patched =
      patch.packedInto(scratch.of<T>(static_cast<std::size_t>(patch.paddedInputs())));
  auto* bytes = static_cast<std::byte*>(out);
  parallelRanges({rows.end - rows.begin, patched.rowBytes()}, [&](WorkRange part) {
    patched.writeRows({rows.begin + part.begin, rows.begin + part.end},
                      bytes + part.begin * patched.rowBytes());
  });
}

}  // namespace

void materialisedProduct(const WeightMatrix& W, const float* u, const float* w,
                         const float* x, float* y, SummationOrder order) {
  product<float>({W, u, w}, x, {.y = y, .order = order});
}

void materialisedProduct(const WeightMatrix& W, const double* u, const double* w,
                         const double* x, double* y, SummationOrder order) {
  product<double>({W, u, w}, x, {.y = y, .order = order});
}

void materialiseRows(const WeightMatrix& W, const float* u, const float* w,
                     std::int64_t firstRow, std::int64_t rowCount, void* out) {
  writeAllRows<float>({W, u, w}, {firstRow, firstRow + rowCount}, out);
}

void materialiseRows(const WeightMatrix& W, const double* u, const double* w,
                     std::int64_t firstRow, std::int64_t rowCount, void* out) {
  writeAllRows<double>({W, u, w}, {firstRow, firstRow + rowCount}, out);
}

}  // namespace equipatch
