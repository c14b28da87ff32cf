// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/block_hooks.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// Replaces a product's row `index`, counted in the product and not in the batch, by the
/// same row's product with the patched matrix: W x + u (wᵀ x), or round(W + u wᵀ) x.
void applyToRow(const RankOne& change, Product& product, std::int64_t index,
                Application application, const Arithmetic& arithmetic);

/// Replaces every row of a product by its product with the patched matrix: W x +
/// U (Vᵀ x), or round(W + U Vᵀ) x.
void applyToAllRows(const LowRank& change, Product& product, Application application,
                    const Arithmetic& arithmetic);

/// The scale that is read back after a checkpoint stored m: m, or m − 1 if the family
/// stores m − 1, is rounded to the dtype.
Vector storedScale(const Vector& m, const NormSpec& norm, const Arithmetic& arithmetic);

/// The bias that is read back after a checkpoint stored b: b rounded to the dtype.
Vector storedBias(const Vector& b, const Arithmetic& arithmetic);

/// The patch with its scales and biases as a checkpoint would store them. Matrices are
/// rounded where they are applied: a checkpoint stores round(W + u wᵀ), which rounded
/// factors u and w would not give.
Patch storedPatch(Patch patch, const NormSpec& norm, const Arithmetic& arithmetic);

/// Sets the bias that is added to row `row` to b'.
void applyBias(const Vector& b, Tensor& bias, std::int64_t row);

/// Replaces row `row` of branch = n ⊙ m by n ⊙ m'.
void applyScale(const HookedBlock& block, const Vector& m, const Tensor& n,
                Tensor& branch, std::int64_t row);

/// Replaces row `row` of branch = n ⊙ m + b by n ⊙ m + b'.
void applyNormBias(const HookedBlock& block, const Vector& b, const Tensor& n,
                   Tensor& branch, std::int64_t row);

/// Hooks that make an ordinary forward pass use a finished patch. Its scales and biases
/// are used as they are; storedPatch rounds them.
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

/// One token's patch on one row; the other rows keep the model's own weights.
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

/// A patch for several tokens, on every row.
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

/// The patch at the given strength. On the chosen layers, every matrix's change is
/// multiplied by α, a scale becomes m + α (m' − m) and a bias b + α (b' − b), neither
/// rounded to the dtype. The other layers have no patch. With α = 1 on all layers, the
/// result is the patch itself.
/// @param patch of the model that `spec` and `weights` describe
Patch strengthened(const Patch& patch, const ModelSpec& spec, const Weights& weights,
                   const PatchStrength& strength);

}  // namespace equipatch
