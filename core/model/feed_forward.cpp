#include "core/model/feed_forward.h"

namespace equipatch {

Tensor activated(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::GeluTanh: {
      // Written out because libtorch 1.13 and 2.x spell the variant differently.
      constexpr double kRoot = 0.7978845608028654;  // sqrt(2 / pi)
      return 0.5 * x * (1.0 + at::tanh(kRoot * (x + 0.044715 * x * x * x)));
    }
    case Activation::GeluExact: {
      constexpr double kInverseRoot2 = 0.7071067811865476;
      return 0.5 * x * (1.0 + at::erf(x * kInverseRoot2));
    }
    case Activation::Silu:
      break;
  }
  return at::silu(x);
}

Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic) {
  return arithmetic.round(arithmetic.round(activated(gate, activation)) * up);
}

}  // namespace equipatch
