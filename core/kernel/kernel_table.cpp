// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel_table.h"

#include <atomic>
#include <string>

#include "core/base/error.h"

namespace equipatch {
namespace {

InstructionSet widestSet() {
  if (cpuSupports(InstructionSet::Avx512)) return InstructionSet::Avx512;
  if (cpuSupports(InstructionSet::Avx2)) return InstructionSet::Avx2;
  return InstructionSet::Plain;
}

std::atomic<InstructionSet>& chosen() {
  static std::atomic<InstructionSet> set{widestSet()};
  return set;
}

}  // namespace

bool cpuSupports(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::Avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  if (set == InstructionSet::Avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c");
#endif
  return set == InstructionSet::Plain;
}

InstructionSet instructionSet() {
  return chosen().load(std::memory_order_relaxed);
}

void forceInstructionSet(std::optional<InstructionSet> set) {
  chosen().store(set.value_or(widestSet()), std::memory_order_relaxed);
}

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
