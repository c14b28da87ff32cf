#include "core/kernel/weight_products.h"

#include <algorithm>

#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"

namespace equipatch {
namespace {

/// Columns that are worth a piece of work: whole strips of the widest vectors.
std::int64_t columnsPerPiece(std::int64_t rows) {
  return rows <= 2 ? 128 : 64;
}

template <typename T>
void mix(std::span<const WeightMatrix> V, const SumTask<T>& task) {
  if (task.rows <= 0 || V.empty() || V.front().inputs <= 0) return;
  const WeightMatrix& shape = V.front();
  const WeightKernels<T>& code = weightKernels<T>(shape.dtype);
  const auto size = static_cast<std::int64_t>(byteSize(shape.dtype));
  const std::int64_t columns = columnsPerPiece(task.rows);
  const std::int64_t pieces = (shape.inputs + columns - 1) / columns;
  const auto mixPiece = [&](std::int64_t item) {
    const std::int64_t matrix = item / pieces, first = item % pieces * columns;
    SumTask<T> part = task;
    part.values = static_cast<const std::byte*>(V[matrix].data) + first * size;
    part.count = shape.outputs;
    part.width = shape.inputs;
    part.columns = std::min(columns, shape.inputs - first);
    part.p = task.p + matrix * task.rows * shape.outputs;
    part.y = task.y + matrix * task.rows * shape.inputs + first;
    code.mix(part);
  };
  const std::int64_t bytes = shape.outputs * std::min(columns, shape.inputs) * size;
  parallelRanges({std::ssize(V) * pieces, bytes}, [&](WorkRange items) {
    for (std::int64_t item = items.begin; item < items.end; ++item) mixPiece(item);
  });
}

}  // namespace

void weightedSums(std::span<const WeightMatrix> V, const float* p, std::int64_t rows, float* y,
             SummationOrder order) {
  mix<float>(V, {.p = p, .rows = rows, .y = y, .order = order});
}

void weightedSums(std::span<const WeightMatrix> V, const double* p, std::int64_t rows,
             double* y, SummationOrder order) {
  mix<double>(V, {.p = p, .rows = rows, .y = y, .order = order});
}

}  // namespace equipatch
