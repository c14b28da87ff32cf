#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// The activation function, wide and unrounded.
Tensor activated(const Tensor& x, Activation activation);

/// What stands between the first matrices and W_down: h = activation(gate) ⊙ up, from
/// rounded pre-activations [rows, mlpWidth], rounded after each operation.
Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic);

}  // namespace equipatch
