#include "core/kernel/round_numbers.h"

#include <cstddef>

#include "core/kernel/half_float.h"

namespace equipatch {
namespace {

template <typename Round>
void forEach(std::span<const float> from, std::span<float> to, const Round& round) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = round(from[i]);
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
