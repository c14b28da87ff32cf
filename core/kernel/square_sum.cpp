#include "core/kernel/row_operations.h"

#include <vector>

#include "core/kernel/half_float.h"
#include "core/kernel/lane_sum.h"
#include "core/kernel/threads.h"

namespace equipatch {
namespace {

template <typename Stored, typename Value>
double rowSum(const Stored* row, std::int64_t count, const Value& value) {
  return laneSum<double>(0, count, [&](std::int64_t i) {
    const double number = value(row[i]);
    return number * number;
  });
}

template <typename Stored, typename Value>
double sumOf(const WeightMatrix& W, const Value& value) {
  const auto* numbers = static_cast<const Stored*>(W.data);
  std::vector<double> rows(static_cast<std::size_t>(W.outputs));
  const std::int64_t bytes = W.inputs * static_cast<std::int64_t>(sizeof(Stored));
  parallelRanges({.items = W.outputs, .bytesPerItem = bytes}, [&](WorkRange range) {
    for (std::int64_t row = range.begin; row < range.end; ++row)
      rows[static_cast<std::size_t>(row)] =
          rowSum(numbers + row * W.inputs, W.inputs, value);
  });
  double sum = 0.0;
  for (const double row : rows) sum += row;
  return sum;
}

}  // namespace

double squareSum(const WeightMatrix& W) {
  switch (W.dtype) {
    case DType::BF16:
      return sumOf<std::uint16_t>(W, [](std::uint16_t x) { return bfloat16Value(x); });
    case DType::F16:
      return sumOf<std::uint16_t>(W, [](std::uint16_t x) { return float16Value(x); });
    case DType::F64:
      return sumOf<double>(W, [](double x) { return x; });
    default:
      return sumOf<float>(W, [](float x) { return x; });
  }
}

}  // namespace equipatch
