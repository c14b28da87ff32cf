// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/delta_rule_loop.h"
#include "core/kernel/lanes/expand_mxfp4.h"
#include "core/kernel/lanes/gate_loop.h"
#include "core/kernel/lanes/logit_loops.h"
#include "core/kernel/lanes/multiply_mxfp4.h"
#include "core/kernel/lanes/multiply_rows.h"
#include "core/kernel/lanes/pack_rows.h"
#include "core/kernel/lanes/patched_weights.h"
#include "core/kernel/lanes/square_sum.h"
#include "core/kernel/lanes/sum_strip.h"

namespace equipatch {

/// @tparam F dequantises MXFP4
/// @tparam S SquareSum for weights of L's dtype
template <Lanes L, DequantisesMxfp4 F, typename S>
constexpr WeightKernels<typename L::Scalar> weightKernelsOf() {
  using Mxfp4 = decltype(WeightKernels<typename L::Scalar>::multiplyMxfp4);
  Mxfp4 multiplyMxfp4 = nullptr;
  if constexpr (MultipliesMxfp4<L>) multiplyMxfp4 = &equipatch::multiplyMxfp4<F, L>;
  WeightKernels<typename L::Scalar> kernels{.block = kBlock<L>,
                                            .pack = &packRows<L>,
                                            .multiply = &multiplyRows<L>,
                                            .multiplyPatched = &multiplyPatched<L>,
                                            .expand = &dequantiseRow<F, L>,
                                            .multiplyMxfp4 = multiplyMxfp4,
                                            .sumRows = &sumRows<L>,
                                            .round = &roundRow<L>,
                                            .squareSum = &S::sum};
  if constexpr (GainsByNarrowInputs<L>) {
    kernels.packNarrow = &packNarrowRows<L>;
    kernels.multiplyNarrow = &multiplyRows<NarrowInputs<L>>;
  }
  return kernels;
}

/// All template arguments belong to one instruction set.
template <Lanes F32, Lanes Bf16, Lanes F16, Lanes F64, DoubleVectors V>
constexpr KernelTable makeKernelTable() {
  return {.f32 = weightKernelsOf<F32, F32, SquareSum<V, StoredReals<V, float>>>(),
          .bf16 = weightKernelsOf<Bf16, F32, SquareSum<V, StoredBfloat16<V>>>(),
          .f16 = weightKernelsOf<F16, F32, SquareSum<V, StoredFloat16<V>>>(),
          .f64 = weightKernelsOf<F64, F32, SquareSum<V, StoredReals<V, double>>>(),
          .logitsF32 = LogitLoops<V>::template kernels<float>(),
          .logitsF64 = LogitLoops<V>::template kernels<double>(),
          .gateF32 = &GateLoop<V>::template run<float>,
          .gateF64 = &GateLoop<V>::template run<double>,
          .delta = {&applyDeltaRule<F32>, &applyDeltaRule<F64>}};
}

}  // namespace equipatch
