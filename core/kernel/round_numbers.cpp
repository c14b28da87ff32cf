#include "core/kernel/round_numbers.h"

#include "core/kernel/half_float.h"
#include "core/kernel/parallel.h"

namespace equipatch {
namespace {

template <typename Round>
void forEach(std::span<const float> from, std::span<float> to, const Round& round) {
  constexpr std::int64_t kGrain = 4096;
  parallelRanges({.items = std::ssize(from),
                  .bytesPerItem = 2 * sizeof(float),
                  .grain = kGrain},
                 [&](WorkRange range) {
                   const float* source = from.data();
                   float* target = to.data();
                   for (std::int64_t i = range.begin; i < range.end; ++i)
                     target[i] = round(source[i]);
                 });
}

}  // namespace

void roundNumbers(DType dtype, std::span<const float> from, std::span<float> to) {
  switch (dtype) {
    case DType::BF16:
      return forEach(from, to, [](float x) { return bfloat16Value(bfloat16Bits(x)); });
    case DType::F16:
      return forEach(from, to, [](float x) { return float16Value(float16Bits(x)); });
    default:
      return forEach(from, to, [](float x) { return x; });
  }
}

}  // namespace equipatch
