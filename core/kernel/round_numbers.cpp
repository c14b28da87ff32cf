#include "core/kernel/round_numbers.h"

#include "core/kernel/vector_code.h"

namespace equipatch {

void roundNumbers(DType dtype, std::span<const float> from, std::span<float> to) {
  weightCode<float>(dtype).round(from.data(), std::ssize(from), to.data());
}

}  // namespace equipatch
