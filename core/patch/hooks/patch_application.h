// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/block_hooks.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// Replaces row `index` of a product by W x + u (wᵀ x) or round(W + u wᵀ) x, see
/// Application; adds the bias if the product includes it.
/// @param index counted in the product, not in the batch
void applyToRow(const RankOne& change, Product& product, std::int64_t index,
                Application application, const Arithmetic& arithmetic);

/// Likewise replaces every row by W x + U (Vᵀ x) or round(W + U Vᵀ) x.
void applyToAllRows(const LowRank& change, Product& product, Application application,
                    const Arithmetic& arithmetic);

/// m rounded to the run's dtype; if the family stores m − 1, 1 + round(m − 1).
Vector storedScale(const Vector& m, const NormSpec& norm, const Arithmetic& arithmetic);

/// b rounded to the run's dtype.
Vector storedBias(const Vector& b, const Arithmetic& arithmetic);

/// The patch with its scales and biases rounded as a checkpoint would store them. The
/// factors u and w stay unrounded, because a checkpoint stores round(W + u wᵀ).
Patch storedPatch(Patch patch, const NormSpec& norm, const Arithmetic& arithmetic);

/// Sets row `row` of `bias` to b. `bias` becomes a new tensor, because the old one may be
/// a view of the weights.
void applyBias(const Vector& b, Tensor& bias, std::int64_t row);

/// Replaces row `row` of `branch` by n ⊙ m.
void applyScale(const HookedBlock& block, const Vector& m, const Tensor& n,
                Tensor& branch, std::int64_t row);

/// Replaces row `row` of `branch` by n ⊙ m + b, with the model's own m.
void applyNormBias(const HookedBlock& block, const Vector& b, const Tensor& n,
                   Tensor& branch, std::int64_t row);

/// Hooks that apply a finished patch during a forward pass. They use scales and biases
/// unchanged; to round them first, call storedPatch.
template <typename Change>
class FinishedPatch : public BlockHooks {
 public:
  using Layers = std::vector<LayerPatchOf<Change>>;

  void hookInProjection(const HookedBlock& block, Product& product) override {
    applyAt(block, product);
  }
  void hookDownProjection(const HookedBlock& block,
                          std::vector<DownProduct>& down) override {
    for (DownProduct& product : down) applyAt(block, product);
  }

 protected:
  FinishedPatch(const Layers& patch, Application application)
      : m_patch(patch), m_application(application) {}

  const LayerPatchOf<Change>& at(const HookedBlock& block) const {
    return m_patch.at(static_cast<std::size_t>(block.layer.value));
  }
  Application application() const { return m_application; }
  virtual void apply(const Change& change, Product& product,
                     const Arithmetic& arithmetic) const = 0;

 private:
  void applyAt(const HookedBlock& block, Product& product) const {
    if (const Change* change = at(block).find(product.id))
      apply(*change, product, block.arithmetic);
  }

  const Layers& m_patch;
  Application m_application;
};

/// Applies one token's patch to one row.
class GivenPatch final : public FinishedPatch<RankOne> {
 public:
  /// @param patch one entry per layer, outlives this.
  GivenPatch(const Patch& patch, std::int64_t row, Application application)
      : FinishedPatch(patch, application), m_row(row) {}

  void hookOutBias(const HookedBlock& block, Tensor& bias) override;
  void hookDenseScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;

 private:
  void apply(const RankOne& change, Product& product,
             const Arithmetic& arithmetic) const override;

  std::int64_t m_row;
};

/// Applies a patch for several tokens to every row.
class SharedWeights final : public FinishedPatch<LowRank> {
 public:
  /// @param patch one entry per layer, outlives this.
  SharedWeights(const SharedPatch& patch, Application application)
      : FinishedPatch(patch, application) {}

  void hookDenseScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;

 private:
  void apply(const LowRank& change, Product& product,
             const Arithmetic& arithmetic) const override;
};

/// The patch at the given strength. In the chosen layers, α multiplies the change of
/// every matrix, scale and bias: m' becomes m + α (m' − m), unrounded. The other layers
/// have no patch. @param patch of the model that `spec` and `weights` describe
Patch strengthened(const Patch& patch, const ModelSpec& spec, const Weights& weights,
                   const PatchStrength& strength);

}  // namespace equipatch
