#include "core/kernel/kernel_table.h"

#include <string>

#include "core/base/error.h"

namespace equipatch {

const KernelTable& kernelTable() {
#if defined(__x86_64__)
  switch (instructionSet()) {
    case InstructionSet::Avx512:
      return kernelTableAvx512();
    case InstructionSet::Avx2:
      return kernelTableAvx2();
    case InstructionSet::Plain:
      break;
  }
#endif
  return kernelTablePlain();
}

template <>
const WeightKernels<float>& weightKernels<float>(DType dtype) {
  switch (dtype) {
    case DType::F32:
      return kernelTable().f32;
    case DType::BF16:
      return kernelTable().bf16;
    case DType::F16:
      return kernelTable().f16;
    default:
      throw unsupported(
          "a product with float32 rows needs weights in float32, bfloat16 "
          "or float16, not in " +
          std::string(torchName(dtype)) + "; convert the weights first");
  }
}

template <>
const WeightKernels<double>& weightKernels<double>(DType dtype) {
  if (dtype == DType::F64) return kernelTable().f64;
  throw unsupported("a product with float64 rows needs weights in float64, not in " +
                    std::string(torchName(dtype)) + "; convert the weights first");
}

}  // namespace equipatch
