#include "core/kernel/row_operations.h"

#include "core/kernel/kernel_table.h"

namespace equipatch {

void selfGate(SelfGate gate, std::span<const float> x, std::span<float> y) {
  kernelTable().gateF32(gate, x.data(), std::ssize(x), y.data());
}

void selfGate(SelfGate gate, std::span<const double> x, std::span<double> y) {
  kernelTable().gateF64(gate, x.data(), std::ssize(x), y.data());
}

}  // namespace equipatch
