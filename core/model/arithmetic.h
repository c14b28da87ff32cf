// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/dtype.h"
#include "core/kernel/weight_products.h"
#include "core/model/linear.h"
#include "core/model/torch_types.h"

namespace equipatch {

/// Whether activations are rounded to the dtype of the weights.
enum class Compute {
  Native,   ///< rounded, as by a framework that runs in the dtype
  Float32,  ///< not rounded: activations keep the wide dtype
};

/// How values are stored and rounded.
///
/// Activations are tensors of the *wide* dtype: float64 for float64, float32 for the
/// other dtypes. With Compute::Native, their values are rounded to the run's dtype
/// wherever a framework would store them. Products accumulate in the wide dtype. They are
/// returned unrounded, because a patch is computed from the unrounded W mlp_in.
class Arithmetic {
 public:
  Arithmetic(DType dtype, at::Device device, Compute compute = Compute::Native);

  DType dtype() const { return m_dtype; }
  SummationOrder order() const { return m_order; }
  at::Device device() const { return m_device; }
  at::ScalarType weightType() const { return m_weightType; }
  /// The type to which activations are rounded; also the KV cache's type.
  at::ScalarType activationType() const { return m_activationType; }
  at::ScalarType wide() const { return m_wide; }  ///< the type of activation tensors
  at::TensorOptions weightOptions() const {
    return at::TensorOptions(m_weightType).device(m_device);
  }
  /// A copy that adds the terms of all sums in this order.
  Arithmetic with(SummationOrder order) const;
  Arithmetic unrounded() const;
  /// True if activations are rounded to a type narrower than the wide type.
  bool rounds() const { return m_activationType != m_wide; }

  /// x rounded to `activationType` (nearest, ties to even), as wide values; x itself, not
  /// a copy, unless rounds().
  Tensor round(const Tensor& x) const;
  void roundInPlace(const Tensor& x) const;
  double round(double value) const;
  /// x rounded to `weightType`, as wide values.
  Tensor roundAsWeight(const Tensor& x) const;

  /// x Wᵀ + b, wide and unrounded: x [rows, inputs] → [rows, outputs]. For up to kFewRows
  /// rows on the CPU, a row's result does not depend on the other rows. For more rows, x
  /// must already be rounded if rounds().
  Tensor product(const Tensor& x, const Linear& linear) const;

  /// round(W + u wᵀ) x + b for one row x; rounds the patched matrix to `weightType`, as
  /// in a checkpoint. u [outputs], w [inputs], x [inputs], wide → [outputs], unrounded.
  Tensor materialisedProduct(const Tensor& x, const Linear& linear, const Tensor& u,
                             const Tensor& w) const;

  static constexpr std::int64_t kFewRows = 8;
  /// The most prompt rows to compute together; more rows are not faster.
  std::int64_t mostPromptRows() const;

 private:
  Tensor fewRows(const Tensor& x, const Linear& linear) const;
  template <typename Work>
  void forTiles(const Linear& linear, const Work& work) const;
  Tensor expandedProduct(const Tensor& x, const Linear& linear) const;
  Tensor manyRows(const Tensor& x, const Tensor& weight) const;
  Tensor materialisedOnHost(const Tensor& x, const Linear& linear, const Tensor& u,
                            const Tensor& w) const;
  Tensor materialisedByLibtorch(const Tensor& x, const Tensor& weight, const Tensor& u,
                                const Tensor& w) const;
  bool usesBfloat16Instructions() const;

  DType m_dtype;
  at::Device m_device;
  SummationOrder m_order = SummationOrder::Standard;
  at::ScalarType m_weightType;
  at::ScalarType m_wide;
  at::ScalarType m_activationType;
};

}  // namespace equipatch
