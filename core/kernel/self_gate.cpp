#include "core/kernel/self_gate.h"

#include "core/kernel/vector_code.h"

namespace equipatch {

void selfGate(SelfGate gate, std::span<const float> x, std::span<float> y) {
  vectorCode().gateF32(gate, x.data(), std::ssize(x), y.data());
}

void selfGate(SelfGate gate, std::span<const double> x, std::span<double> y) {
  vectorCode().gateF64(gate, x.data(), std::ssize(x), y.data());
}

}  // namespace equipatch
