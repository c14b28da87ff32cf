// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/model/block_hooks.h"
#include "core/patch/hooks/context_recorder.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// Which rows of a batch take part in building a patch.
struct BuilderRows {
  /// The row whose resid_mid and mlp_in are those of the token without the absorbed
  /// context. In the open loop this is an extra row that starts every layer from the
  /// contextual pass's resid_pre (the open-loop row); otherwise it is the patched row.
  std::int64_t source = 0;
  /// The row that runs with the patch while it is built; −1 if none does.
  std::int64_t patched = 0;
};

/// The builder's report of one layer: the layer's record, with the hidden error not yet
/// filled in, and the vectors that are exported with the factors, in double precision.
struct LayerDiagnostics {
  LayerRecord record;
  Vector scaleDelta;         ///< Δm [width]; empty without a closing scale
  Vector biasDelta;          ///< Δb [width]; empty where no bias was patched
  Vector resid_mid, mlp_in;  ///< of the source row [width]
};

/// Builds the patch of one token, layer by layer, while the rows go through the model
/// [G, Algorithm 1 with x'_l = Block_l(x'_{l−1}; θ'_l); Theorems 1 and 5, Lemma 12],
/// and runs the patched row with it. Which formula applies follows from the block (does
/// it close with a scale, a bias, experts?) and from the options.
class PatchBuilder final : public BlockHooks {
 public:
  /// @param context activations of the contextual pass; outlives this. A hook requires
  /// the values that it reads from its layer's entry. In lockstep, ContextRecorder
  /// precedes the builder in the chain of hooks and has recorded them.
  PatchBuilder(const ContextRecord& context, BuilderRows rows, PatchOptions options);

  /// True in the closed loop: the patch is computed from the patched pass's own inputs of
  /// the down projections and its own output of the closing norm. The context's record
  /// then needs neither.
  static bool ownActivations(const PatchOptions& options) {
    return options.loop == Loop::Closed;
  }

  void hookMlpIn(const HookedBlock& block, const Tensor& resid_mid,
                 const Tensor& mlp_in) override;
  void hookInProjection(const HookedBlock& block, Product& product) override;
  void hookDownProjection(const HookedBlock& block,
                          std::vector<DownProduct>& down) override;
  void hookOutBias(const HookedBlock& block, Tensor& bias) override;
  void hookDenseScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookResidPost(const HookedBlock& block, BlockSites& sites) override;

  /// The finished patch, moved out because it takes megabytes for a large model.
  Patch takePatch() { return std::move(m_patch); }
  /// Drops the matrices' factors of the block that was built last; its scale, bias and
  /// diagnostics stay.
  void dropMatrices() { m_patch.back().matrices = {}; }
  std::vector<LayerDiagnostics> takeDiagnostics() { return std::move(m_diagnostics); }

 private:
  const ContextSites& target(const HookedBlock& block) const;
  bool ownActivations() const { return ownActivations(m_options); }
  void applyInProjection(const HookedBlock& block, const RankOne& change,
                         Product& product) const;
  void recordExperts(const std::vector<DownInput>& inputs);
  struct ScaleSplit;
  ScaleSplit split(const Vector& g, const Vector& m, const Vector& output, double eps);
  std::optional<Vector> missingOutput(const HookedBlock& block, const Vector& output);
  void restoreOutput(const HookedBlock& block, const Vector& missing,
                     std::vector<DownInput> inputs, const std::vector<DownProduct>& down);
  void restoreDense(const HookedBlock& block, const Vector& wanted,
                    std::vector<DownInput> inputs, const std::vector<DownProduct>& down);
  void keepBias(const HookedBlock& block, const Vector& bias, const Vector& missing);
  void normBias(const HookedBlock& block, const Tensor& n, Tensor& branch);
  void directScale(const HookedBlock& block, const Vector& missing, const Vector& n);
  void keep(RankOne&& change, MatrixId matrix);
  void degenerate(const char* note, std::int64_t components = 1);

  const ContextRecord& m_context;
  BuilderRows m_rows;
  PatchOptions m_options;
  Patch m_patch;
  std::vector<LayerDiagnostics> m_diagnostics;

  // Of the block being built.
  Vector m_residMid, m_mlpIn;  // of the source row
  // The missing part of the branch's output: Δv / r, r being the residual multiplier
  // (`residualScale`). With a closing scale, `balanced` and `stable` overwrite it in
  // missingOutput with the whole output that the branch must have, (sum of the contextual
  // pass − resid_mid) / r, called g in docs/maths.md.
  Vector m_branch;
  Vector m_denseBranch;  // required output of the norm after a dense MLP
  // mlp_in equals the contextual pass's: the changes of the input projections are 0.
  bool m_sameInput = false;
  bool m_same = false;  // the context changed nothing: no patch
  ChangeLedger m_ledger;
};

}  // namespace equipatch
