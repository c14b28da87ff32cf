#include "core/kernel/row_operations.h"

#include "core/kernel/kernel_table.h"

namespace equipatch {

void roundElements(DType dtype, std::span<const float> from, std::span<float> to) {
  weightKernels<float>(dtype).round(from.data(), std::ssize(from), to.data());
}

}  // namespace equipatch
