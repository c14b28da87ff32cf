#include "core/kernel/cpu_variant.h"

#include <atomic>

namespace equipatch {
namespace {

CpuVariant widestVariant() {
  if (cpuSupports(CpuVariant::Avx512)) return CpuVariant::Avx512;
  if (cpuSupports(CpuVariant::Avx2)) return CpuVariant::Avx2;
  return CpuVariant::Plain;
}

std::atomic<CpuVariant>& chosen() {
  static std::atomic<CpuVariant> variant{widestVariant()};
  return variant;
}

}  // namespace

bool cpuSupports(CpuVariant variant) {
#if defined(__x86_64__)
  if (variant == CpuVariant::Avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  if (variant == CpuVariant::Avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c");
#endif
  return variant == CpuVariant::Plain;
}

CpuVariant cpuVariant() {
  return chosen().load(std::memory_order_relaxed);
}

void forceCpuVariant(std::optional<CpuVariant> variant) {
  chosen().store(variant.value_or(widestVariant()), std::memory_order_relaxed);
}

}  // namespace equipatch
