#pragma once

#include "core/model/block_hooks.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// Makes row `place` of a product what the patched matrix gives: W x + u (wᵀ x), or the
/// product with round(W + u wᵀ) as stored.
struct MatrixApplication {
  Application application = Application::Factored;
  const Arithmetic& arithmetic;

  void apply(const RankOne& change, Product& product, std::int64_t place) const;
};

/// The scale as a checkpoint would store it: in the dtype, as m − 1 where the family does
/// so.
Vector storedScale(const Vector& m, const NormSpec& norm, const Arithmetic& arithmetic);

/// The bias that row `row` gets becomes b'.
void applyBias(const Vector& b, Tensor& bias, std::int64_t row);

/// Replaces row `row` of branch = n ⊙ m by n ⊙ m'.
void applyScale(const BlockView& block, const Vector& m, const Tensor& n, Tensor& branch,
                std::int64_t row);

/// Replaces row `row` of branch = n ⊙ m + b by n ⊙ m + b'.
void applyNormBias(const BlockView& block, const Vector& b, const Tensor& n,
                   Tensor& branch, std::int64_t row);

/// A stored patch: one row of an ordinary forward runs with the patched weights.
class GivenPatch final : public BlockHooks {
 public:
  /// @param patch one entry a layer, outlives this.
  GivenPatch(const Patch& patch, std::int64_t row, Application application)
      : m_patch(patch), m_row(row), m_application(application) {}

  void hookInProjection(const BlockView& block, Product& product) override;
  void hookDownProjection(const BlockView& block,
                          std::vector<DownProduct>& last) override;
  void hookOutBias(const BlockView& block, Tensor& bias) override;
  void hookOutScale(const BlockView& block, const Tensor& n, Tensor& branch) override;

 private:
  const LayerPatch& at(const BlockView& block) const;
  void apply(const BlockView& block, Product& product) const;

  const Patch& m_patch;
  std::int64_t m_row;
  Application m_application;
};

}  // namespace equipatch
