// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/row_functions.h"

#include <torch/csrc/autograd/custom_function.h>

#include "trainer/network/row_loops.h"

namespace equipatch {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <typename Element>
Element* elements(const Tensor& tensor) {
  return static_cast<Element*>(tensor.data_ptr());
}

/// Calls `compute` with a null pointer to the tensor's element type.
template <typename Compute>
void byType(const Tensor& tensor, const Compute& compute) {
  if (tensor.scalar_type() == at::kFloat)
    compute(static_cast<float*>(nullptr));
  else
    compute(static_cast<Bfloat*>(nullptr));
}

NormRows normRows(const Tensor& x, const Tensor& scale, double epsilon) {
  const std::int64_t width = x.size(-1);
  return {.rows = x.numel() / width,
          .width = width,
          .epsilon = static_cast<float>(epsilon),
          .scale = elements<float>(scale)};
}

class RmsNorm : public torch::autograd::Function<RmsNorm> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& input,
                        const Tensor& scale, double epsilon) {
    const Tensor x = input.contiguous();
    context->save_for_backward({x, scale});
    context->saved_data["epsilon"] = epsilon;
    Tensor y = at::empty_like(x);
    normalise(normRows(x, scale, epsilon), elements<float>(x), elements<float>(y));
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &x = saved[0], &scale = saved[1];
    const Tensor dY = gradients[0].contiguous();
    Tensor dX = at::zeros_like(x), dScale = at::zeros_like(scale);
    normaliseBackward(normRows(x, scale, context->saved_data["epsilon"].toDouble()),
                      elements<float>(x), elements<float>(dY), elements<float>(dX),
                      elements<float>(dScale));
    return {dX, dScale, Tensor()};
  }
};

class Gelu : public torch::autograd::Function<Gelu> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& input) {
    const Tensor x = input.contiguous();
    context->save_for_backward({x});
    Tensor y = at::empty_like(x);
    byType(x, [&]<typename Element>(Element*) {
      applyGelu(x.numel(), elements<Element>(x), elements<Element>(y));
    });
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const Tensor x = context->get_saved_variables()[0];
    const Tensor dY = gradients[0].contiguous();
    Tensor dX = at::empty_like(x);
    byType(x, [&]<typename Element>(Element*) {
      applyGeluBackward(x.numel(), elements<Element>(x), elements<Element>(dY),
                        elements<Element>(dX));
    });
    return {dX};
  }
};

class Gate : public torch::autograd::Function<Gate> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& input) {
    const Tensor x = input.contiguous();
    context->save_for_backward({x});
    std::vector<std::int64_t> shape = x.sizes().vec();
    const std::int64_t width = shape.back() / 2;
    shape.back() = width;
    Tensor y = at::empty(shape, x.options());
    byType(x, [&]<typename Element>(Element*) {
      applyGate(y.numel() / width, width, elements<Element>(x), elements<Element>(y));
    });
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const Tensor x = context->get_saved_variables()[0];
    const Tensor dY = gradients[0].contiguous();
    const std::int64_t width = dY.size(-1);
    Tensor dX = at::empty_like(x);
    byType(x, [&]<typename Element>(Element*) {
      applyGateBackward(dY.numel() / width, width, elements<Element>(x),
                        elements<Element>(dY), elements<Element>(dX));
    });
    return {dX};
  }
};

}  // namespace

Tensor rmsNormed(const Tensor& x, const Tensor& scale, double epsilon) {
  return RmsNorm::apply(x, scale, epsilon);
}

Tensor geluOf(const Tensor& x) {
  return Gelu::apply(x);
}

Tensor gatedOf(const Tensor& x) {
  return Gate::apply(x);
}

}  // namespace equipatch
