#include "core/kernel/vector_code.h"

#include <string>

#include "core/base/error.h"

namespace equipatch {

const VectorCode& vectorCode() {
#if defined(__x86_64__)
  switch (cpuVariant()) {
    case CpuVariant::Avx512:
      return vectorCodeAvx512();
    case CpuVariant::Avx2:
      return vectorCodeAvx2();
    case CpuVariant::Plain:
      break;
  }
#endif
  return vectorCodePlain();
}

template <>
const WeightCode<float>& weightCode<float>(DType dtype) {
  switch (dtype) {
    case DType::F32:
      return vectorCode().f32;
    case DType::BF16:
      return vectorCode().bf16;
    case DType::F16:
      return vectorCode().f16;
    default:
      throw unsupported(
          "a product with float32 rows needs weights in float32, bfloat16 "
          "or float16, not in " +
          std::string(torchName(dtype)) + "; convert the weights first");
  }
}

template <>
const WeightCode<double>& weightCode<double>(DType dtype) {
  if (dtype == DType::F64) return vectorCode().f64;
  throw unsupported("a product with float64 rows needs weights in float64, not in " +
                    std::string(torchName(dtype)) + "; convert the weights first");
}

}  // namespace equipatch
