// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/weight_products.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"

namespace equipatch {
namespace {

/// Uninitialised memory for reuse, aligned to a cache line. A larger request discards the
/// contents.
class Scratch {
 public:
  template <typename T>
  T* of(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > m_bytes) {
      m_memory.reset();
      m_bytes = 0;
      m_memory.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
      m_bytes = bytes;
    }
    return reinterpret_cast<T*>(m_memory.get());
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };

  std::unique_ptr<std::byte, Free> m_memory;
  std::size_t m_bytes = 0;
};

std::int64_t rowBytes(const WeightMatrix& W) {
  return W.inputs * static_cast<std::int64_t>(byteSize(W.dtype));
}

const std::byte* rowOf(const WeightMatrix& W, std::int64_t row) {
  return static_cast<const std::byte*>(W.data) + row * rowBytes(W);
}

template <typename T>
std::int64_t paddedInputs(const WeightMatrix& W) {
  const std::int64_t block = weightKernels<T>(W.dtype).block;
  return (W.inputs + block - 1) / block * block;
}

/// Memory for the task's packed x, valid until this thread's next call.
template <typename T>
T* packingSpace(const WeightMatrix& W, const DotTask<T>& task) {
  static thread_local Scratch scratch;
  return scratch.of<T>(static_cast<std::size_t>(task.rows * paddedInputs<T>(W)));
}

/// Reads W's shape, not its data.
template <typename T>
DotTask<T> taskWith(const void* packed, const WeightMatrix& W, DotTask<T> task) {
  task.packed = packed;
  task.inputs = W.inputs;
  task.yStride = W.outputs;
  return task;
}

template <typename T>
DotTask<T> packedTask(const WeightMatrix& W, const DotTask<T>& task, const T* x) {
  T* packed = packingSpace(W, task);
  weightKernels<T>(W.dtype).pack(x, task.rows, W.inputs, packed);
  return taskWith(packed, W, task);
}

/// The part of the task that computes `outputs`. @param weights the first output's row
template <typename T>
DotTask<T> partOf(DotTask<T> task, WorkRange outputs, const void* weights) {
  task.weights = weights;
  task.outputs = outputs.end - outputs.begin;
  task.y += outputs.begin;
  if (task.u) task.u += outputs.begin;
  return task;
}

template <typename T>
void multiplyRows(const WeightMatrix& W, const DotTask<T>& task, const T* x) {
  const WeightKernels<T>& kernels = weightKernels<T>(W.dtype);
  if (task.rows <= 0 || W.outputs <= 0) return;
  T* packed = packingSpace(W, task);
  auto multiply = kernels.multiplyNarrow;
  if (!kernels.packNarrow || !kernels.packNarrow(x, task.rows, W.inputs, packed)) {
    kernels.pack(x, task.rows, W.inputs, packed);
    multiply = kernels.multiply;
  }
  const DotTask<T> all = taskWith(packed, W, task);
  parallelRanges({W.outputs, rowBytes(W), kOutputGrain}, [&](WorkRange outputs) {
    multiply(partOf(all, outputs, rowOf(W, outputs.begin)));
  });
}

/// Rows of W that are expanded at a time. They fill whole tiles and stay in the
/// second-level cache.
constexpr std::int64_t kExpandedRows = 24;
static_assert(kOutputGrain % kExpandedRows == 0);

template <typename T>
void multiplyExpanded(const Mxfp4Matrix& W, DType dtype, const DotTask<T>& task,
                      void (*multiply)(const DotTask<T>&)) {
  const WeightKernels<T>& kernels = weightKernels<T>(dtype);
  const std::int64_t bytes = W.inputs * static_cast<std::int64_t>(byteSize(dtype));
  static thread_local Scratch scratch;
  auto* rows = scratch.of<std::byte>(static_cast<std::size_t>(kExpandedRows * bytes));
  for (std::int64_t first = 0; first < W.outputs; first += kExpandedRows) {
    const WorkRange outputs{first, std::min(first + kExpandedRows, W.outputs)};
    for (std::int64_t output = first; output < outputs.end; ++output)
      kernels.expand(W.row(output), rows + (output - first) * bytes);
    multiply(partOf(task, outputs, rows));
  }
}

template <typename T>
void multiplyMxfp4(const Mxfp4Matrix& W, DType dtype, const DotTask<T>& task,
                   const T* x) {
  const WeightKernels<T>& kernels = weightKernels<T>(dtype);
  const auto inRegisters = kernels.multiplyMxfp4;
  if (task.rows <= 0 || W.outputs <= 0) return;
  const DotTask<T> all = packedTask({nullptr, dtype, W.outputs, W.inputs}, task, x);
  const bool oneBatch =
      task.rows <= kRowsPerBatch && task.order == SummationOrder::Standard;
  parallelRanges({W.outputs, W.inputs / 2, kOutputGrain}, [&](WorkRange outputs) {
    const DotTask<T> part = partOf(all, outputs, nullptr);
    if (inRegisters && oneBatch)
      inRegisters(W.rows(outputs), part);
    else
      multiplyExpanded(W.rows(outputs), dtype, part, kernels.multiply);
  });
}

/// The patched matrix is W + u wᵀ.
template <typename T>
struct Patch {
  const T* u;  // [outputs]
  const T* w;  // [inputs]
};

/// Packs x [inputs] and w. Reads W's shape and dtype, not its data.
template <typename T>
DotTask<T> packedTask(const WeightMatrix& W, const Patch<T>& patch, const T* x,
                      DotTask<T> task) {
  const WeightKernels<T>& kernels = weightKernels<T>(W.dtype);
  const std::int64_t padded = paddedInputs<T>(W);
  static thread_local Scratch scratch;
  T* packed = scratch.of<T>(static_cast<std::size_t>(2 * padded));
  kernels.pack(x, 1, W.inputs, packed);
  kernels.pack(patch.w, 1, W.inputs, packed + padded);
  task.packed = packed;
  task.packedW = packed + padded;
  task.inputs = W.inputs;
  task.rows = 1;
  task.yStride = W.outputs;
  task.u = patch.u;
  return task;
}

template <typename T>
void multiplyMaterialised(const WeightMatrix& W, const Patch<T>& patch, const T* x,
                          const DotTask<T>& task) {
  const auto multiply = weightKernels<T>(W.dtype).multiplyPatched;
  const DotTask<T> all = packedTask(W, patch, x, task);
  parallelRanges({W.outputs, rowBytes(W), kOutputGrain}, [&](WorkRange outputs) {
    multiply(partOf(all, outputs, rowOf(W, outputs.begin)));
  });
}

template <typename T>
void multiplyMaterialised(const Mxfp4Matrix& W, DType dtype, const Patch<T>& patch,
                          const T* x, const DotTask<T>& task) {
  const auto multiply = weightKernels<T>(dtype).multiplyPatched;
  const DotTask<T> all =
      packedTask({nullptr, dtype, W.outputs, W.inputs}, patch, x, task);
  parallelRanges({W.outputs, W.inputs / 2, kOutputGrain}, [&](WorkRange outputs) {
    multiplyExpanded(W.rows(outputs), dtype, partOf(all, outputs, nullptr), multiply);
  });
}

/// Columns of y that one work item computes. With at most kRowsPerBatch rows, they form
/// whole strips (SumStrip) for every instruction set.
std::int64_t columnsPerPiece(std::int64_t rows) {
  return rows <= 2 ? 128 : 64;
}

template <typename T>
void addRows(std::span<const WeightMatrix> V, const SumTask<T>& task) {
  if (task.rows <= 0 || V.empty() || V.front().inputs <= 0) return;
  const WeightMatrix& shape = V.front();
  const WeightKernels<T>& kernels = weightKernels<T>(shape.dtype);
  const auto size = static_cast<std::int64_t>(byteSize(shape.dtype));
  const std::int64_t columns = columnsPerPiece(task.rows);
  const std::int64_t pieces = (shape.inputs + columns - 1) / columns;
  const auto sumPiece = [&](std::int64_t item) {
    const std::int64_t matrix = item / pieces, first = item % pieces * columns;
    SumTask<T> part = task;
    part.values = static_cast<const std::byte*>(V[matrix].data) + first * size;
    part.count = shape.outputs;
    part.width = shape.inputs;
    part.columns = std::min(columns, shape.inputs - first);
    part.p = task.p + matrix * task.rows * shape.outputs;
    part.y = task.y + matrix * task.rows * shape.inputs + first;
    kernels.sumRows(part);
  };
  const std::int64_t bytes = shape.outputs * std::min(columns, shape.inputs) * size;
  parallelRanges({std::ssize(V) * pieces, bytes}, [&](WorkRange items) {
    for (std::int64_t item = items.begin; item < items.end; ++item) sumPiece(item);
  });
}

}  // namespace

void fewRowProduct(const WeightMatrix& W, const float* x, std::int64_t rows, float* y,
                   SummationOrder order) {
  multiplyRows<float>(W, {.rows = rows, .y = y, .order = order}, x);
}

void fewRowProduct(const WeightMatrix& W, const double* x, std::int64_t rows, double* y,
                   SummationOrder order) {
  multiplyRows<double>(W, {.rows = rows, .y = y, .order = order}, x);
}

void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const float* x, std::int64_t rows,
                   float* y, SummationOrder order) {
  multiplyMxfp4<float>(W, dtype, {.rows = rows, .y = y, .order = order}, x);
}

void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const double* x, std::int64_t rows,
                   double* y, SummationOrder order) {
  multiplyMxfp4<double>(W, dtype, {.rows = rows, .y = y, .order = order}, x);
}

void materialisedProduct(const WeightMatrix& W, const float* u, const float* w,
                         const float* x, float* y, SummationOrder order) {
  multiplyMaterialised<float>(W, {u, w}, x, {.y = y, .order = order});
}

void materialisedProduct(const WeightMatrix& W, const double* u, const double* w,
                         const double* x, double* y, SummationOrder order) {
  multiplyMaterialised<double>(W, {u, w}, x, {.y = y, .order = order});
}

void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const float* u,
                         const float* w, const float* x, float* y, SummationOrder order) {
  multiplyMaterialised<float>(W, dtype, {u, w}, x, {.y = y, .order = order});
}

void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const double* u,
                         const double* w, const double* x, double* y,
                         SummationOrder order) {
  multiplyMaterialised<double>(W, dtype, {u, w}, x, {.y = y, .order = order});
}

void weightedSums(std::span<const WeightMatrix> V, const float* p, std::int64_t rows,
                  float* y, SummationOrder order) {
  addRows<float>(V, {.p = p, .rows = rows, .y = y, .order = order});
}

void weightedSums(std::span<const WeightMatrix> V, const double* p, std::int64_t rows,
                  double* y, SummationOrder order) {
  addRows<double>(V, {.p = p, .rows = rows, .y = y, .order = order});
}

}  // namespace equipatch
