#pragma once

#include <span>

namespace equipatch {

/// x σ(a x + b x³), which many activations are: σ is 1 / (1 + exp(−t)).
struct SelfGate {
  double a = 1.0;
  double b = 0.0;
};

/// y = x σ(a x + b x³) of each number, computed in double precision and rounded once, so
/// that an element depends on nothing but itself; of what is infinite or not a number,
/// nothing finite. Both are equally long and may be the same.
void selfGate(SelfGate gate, std::span<const float> x, std::span<float> y);
void selfGate(SelfGate gate, std::span<const double> x, std::span<double> y);

}  // namespace equipatch
