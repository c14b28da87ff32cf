#pragma once

#include "core/model/block_policy.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// Makes row `row` of y = W x + b what the patched matrix gives: W x + u (wᵀ x), or the
/// product with round(W + u wᵀ) as stored. x, y [rows, …], y unrounded.
struct MatrixApplication {
  Application application = Application::Factored;
  const Arithmetic& arithmetic;

  void apply(const RankOne& change, const Linear& linear, const Tensor& x, Tensor& y,
             std::int64_t row) const;
};

/// The scale as a checkpoint would store it: in the dtype, as m − 1 where the family does
/// so.
Vector storedScale(const Vector& m, const NormSpec& norm, const Arithmetic& arithmetic);

/// Replaces row `row` of branch = n ⊙ m by n ⊙ m'.
void applyScale(const BlockView& block, const Vector& m, const Tensor& n, Tensor& branch,
                std::int64_t row);

/// A stored patch: one row of an ordinary forward runs with the patched weights.
class GivenPatch final : public BlockPolicy {
 public:
  /// @param patch one entry a layer, outlives this.
  GivenPatch(const Patch& patch, std::int64_t row, Application application)
      : m_patch(patch), m_row(row), m_application(application) {}

  void atMlpInput(const BlockView& block, const Tensor& v, const Tensor& z) override;
  void atFirstProduct(const BlockView& block, FirstMatrix which, Tensor& y) override;
  void atLastProduct(const BlockView& block, const Tensor& h, Tensor& y) override;
  void atClosingScale(const BlockView& block, const Tensor& n, Tensor& branch) override;

 private:
  const LayerPatch& at(const BlockView& block) const;

  const Patch& m_patch;
  std::int64_t m_row;
  Application m_application;
  Tensor m_z;
};

}  // namespace equipatch
