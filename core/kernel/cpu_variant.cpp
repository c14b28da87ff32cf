#include "core/kernel/kernel_table.h"

#include <atomic>

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

}  // namespace equipatch
