#pragma once

#include <optional>
#include <vector>

#include "core/model/block_hooks.h"
#include "core/patch/low_rank.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// The difference of weights of one block that serves several tokens.
struct SharedLayerPatch {
  struct Change {
    MatrixId matrix;
    LowRank change;
  };

  std::vector<Change> matrices;  ///< each at most once
  std::optional<Vector> scale;   ///< m' [width] of the closing norm, in place of m
  std::optional<Vector> bias;    ///< b' [width] after the down projection, in place of b

  const LowRank* find(MatrixId matrix) const;
};

/// All blocks of a model.
using SharedPatch = std::vector<SharedLayerPatch>;

/// One token's patch, seen as one for several.
SharedPatch sharedPatch(const Patch& patch);

/// Makes every row of a product what the patched matrix gives: W x + U (Vᵀ x), or the
/// product with round(W + U Vᵀ) as stored.
void applyToAllRows(const LowRank& change, Product& product, Application application,
                    const Arithmetic& arithmetic);

/// A finished patch: every row of an ordinary forward runs with the patched weights.
class SharedWeights final : public BlockHooks {
 public:
  /// @param patch one entry a layer, outlives this.
  SharedWeights(const SharedPatch& patch, Application application)
      : m_patch(patch), m_application(application) {}

  void hookInProjection(const BlockView& block, Product& product) override;
  void hookDownProjection(const BlockView& block,
                          std::vector<DownProduct>& last) override;
  void hookOutBias(const BlockView& block, Tensor& bias) override;
  void hookOutScale(const BlockView& block, const Tensor& n, Tensor& branch) override;

 private:
  const SharedLayerPatch& at(const BlockView& block) const;
  void apply(const BlockView& block, Product& product) const;

  const SharedPatch& m_patch;
  Application m_application;
};

}  // namespace equipatch
