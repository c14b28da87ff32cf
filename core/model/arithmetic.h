#pragma once

#include "core/base/dtype.h"
#include "core/kernel/weight_products.h"
#include "core/model/torch_types.h"

namespace equipatch {

/// A matrix and its bias, as the checkpoint keeps them.
struct Linear {
  Tensor weight;      ///< [outputs, inputs], in the run's dtype
  Tensor bias;        ///< [outputs], wide; undefined when there is none
  double norm = 0.0;  ///< ‖W‖_F, of the matrices a patch can change
};

/// Whether activations are rounded to the dtype that weights are kept in.
enum class Compute {
  Native,   ///< yes, as a framework that runs in the dtype
  Float32,  ///< no: weights as they are kept, everything else in float32
};

/// How numbers are held and rounded.
///
/// Activations live in a *wide* type (float64 for float64, float32 for the others) and
/// are rounded to the run's dtype at every operator boundary, where a framework would
/// store them, unless computing in float32 was asked for. Products accumulate wide and
/// come back unrounded: a patch needs W z before it is rounded (MATHS section 8), and
/// every dtype works on every device whatever libtorch implements.
class Arithmetic {
 public:
  Arithmetic(DType dtype, at::Device device, Compute compute = Compute::Native);

  DType dtype() const { return m_dtype; }
  SummationOrder order() const { return m_order; }
  at::Device device() const { return m_device; }
  at::ScalarType storage() const { return m_storage; }  ///< of weights
  /// Of activations that are kept: keys and values.
  at::ScalarType held() const { return m_held; }
  at::ScalarType wide() const { return m_wide; }
  /// The same arithmetic with its sums in another order, for the noise floor.
  Arithmetic with(SummationOrder order) const;
  /// The same weights with activations in float32, not rounded.
  Arithmetic unrounded() const;
  /// Activations are rounded to a narrower type than they are computed in.
  bool rounds() const { return m_held != m_wide; }

  /// Wide values nearest to `x` (ties to even) that activations may have: those the dtype
  /// can represent, or any when computing in float32.
  Tensor round(const Tensor& x) const;
  /// The same in the memory of x.
  void roundInPlace(const Tensor& x) const;
  double round(double value) const;
  /// Wide values nearest to `x` that a weight may have.
  Tensor roundAsWeight(const Tensor& x) const;

  /// x Wᵀ + b, wide and unrounded: x [rows, inputs] → [rows, outputs]. Each weight is
  /// read once for all rows. For up to kFewRows rows on the CPU, a row's result does not
  /// depend on the other rows; of more rows, x must be rounded where activations are.
  Tensor product(const Tensor& x, const Linear& linear) const;

  /// round(W + u wᵀ) x + b for one row, the patched matrix as it would be stored:
  /// u [outputs], w [inputs], x [inputs], all wide → [outputs], unrounded.
  Tensor materialisedProduct(const Tensor& x, const Linear& linear, const Tensor& u,
                             const Tensor& w) const;

  static constexpr std::int64_t kFewRows = 8;
  /// More rows than this are no faster together.
  std::int64_t mostPromptRows() const;

 private:
  Tensor fewRows(const Tensor& x, const Tensor& weight) const;
  Tensor manyRows(const Tensor& x, const Tensor& weight) const;
  bool multipliesAsStored() const;

  DType m_dtype;
  at::Device m_device;
  SummationOrder m_order = SummationOrder::Standard;
  at::ScalarType m_storage;
  at::ScalarType m_wide;
  at::ScalarType m_held;
};

}  // namespace equipatch
