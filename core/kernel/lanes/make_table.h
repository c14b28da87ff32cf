// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/delta_rule_loop.h"
#include "core/kernel/lanes/gate_loop.h"
#include "core/kernel/lanes/logit_loops.h"
#include "core/kernel/lanes/multiply_rows.h"
#include "core/kernel/lanes/pack_rows.h"
#include "core/kernel/lanes/patched_weights.h"
#include "core/kernel/lanes/sum_strip.h"

namespace equipatch {

template <Lanes L>
constexpr WeightKernels<typename L::Scalar> weightKernelsOf() {
  return {.block = kBlock<L>,
          .pack = &packRows<L>,
          .multiply = &multiplyRows<L>,
          .multiplyPatched = &multiplyPatched<L>,
          .patch = &patchRow<L>,
          .sumRows = &sumRows<L>,
          .round = &roundRow<L>};
}

/// The kernel table of one instruction set, from its vectors for weights of each dtype
/// and its vectors of doubles.
template <Lanes F32, Lanes Bf16, Lanes F16, Lanes F64, DoubleVectors V>
constexpr KernelTable makeKernelTable() {
  return {.f32 = weightKernelsOf<F32>(),
          .bf16 = weightKernelsOf<Bf16>(),
          .f16 = weightKernelsOf<F16>(),
          .f64 = weightKernelsOf<F64>(),
          .logitsF32 = LogitLoops<V>::template kernels<float>(),
          .logitsF64 = LogitLoops<V>::template kernels<double>(),
          .gateF32 = &GateLoop<V>::template run<float>,
          .gateF64 = &GateLoop<V>::template run<double>,
          .delta = {&applyDeltaRule<F32>, &applyDeltaRule<F64>}};
}

}  // namespace equipatch
