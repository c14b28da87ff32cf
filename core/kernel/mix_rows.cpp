#include "core/kernel/mix_rows.h"

#include <algorithm>

#include "core/kernel/parallel.h"
#include "core/kernel/vector_code.h"

namespace equipatch {
namespace {

// A few cache lines of every row of V; a whole number of the vectors' blocks.
constexpr std::int64_t kColumnGrain = 64;

template <typename T>
void mix(const WeightMatrix& V, MixTask<T> task) {
  if (task.rows <= 0 || V.inputs <= 0) return;
  const WeightCode<T>& code = weightCode<T>(V.dtype);
  const auto size = static_cast<std::int64_t>(byteSize(V.dtype));
  task.count = V.outputs;
  task.width = V.inputs;
  parallelRanges({V.inputs, V.outputs * size, kColumnGrain}, [&](WorkRange columns) {
    MixTask<T> part = task;
    part.values = static_cast<const std::byte*>(V.data) + columns.begin * size;
    part.columns = columns.end - columns.begin;
    part.y = task.y + columns.begin;
    code.mix(part);
  });
}

}  // namespace

void mixRows(const WeightMatrix& V, const float* p, std::int64_t rows, float* y,
             SummationOrder order) {
  mix<float>(V, {.p = p, .rows = rows, .y = y, .order = order});
}

void mixRows(const WeightMatrix& V, const double* p, std::int64_t rows, double* y,
             SummationOrder order) {
  mix<double>(V, {.p = p, .rows = rows, .y = y, .order = order});
}

}  // namespace equipatch
