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
  /// The row from whose resid_mid and mlp_in the patch is computed: in the open loop the
  /// open-loop row (docs/glossary.md), otherwise the patched row.
  std::int64_t source = 0;
  /// The row that runs with the patch while the patch is built; −1: none.
  std::int64_t patched = 0;
};

/// One layer's record and vectors in double precision. The builder does not set the
/// record's hiddenError.
struct LayerDiagnostics {
  LayerRecord record;
  Vector scaleDelta;         ///< Δm [width]; empty without a closing scale
  Vector biasDelta;          ///< Δb [width]; empty where no bias was patched
  Vector resid_mid, mlp_in;  ///< of the source row [width]
};

/// Builds the patch of one token, layer by layer, during the forward pass, and applies
/// the patch to the patched row [G, Algorithm 1 with x'_l = Block_l(x'_{l−1}; θ'_l);
/// Theorems 1 and 5, Lemma 12].
class PatchBuilder final : public BlockHooks {
 public:
  /// @param context activations of the contextual pass; outlives this. When the block
  /// calls a hook of the builder, the layer's entry must already hold everything that
  /// ContextRecorder records up to and including this hook. In lockstep, ContextRecorder
  /// must therefore precede the builder in the chain of hooks.
  PatchBuilder(const ContextRecord& context, BuilderRows rows, PatchOptions options);

  /// True in the closed loop: the patch is computed from the patched pass's own h and n,
  /// and the builder reads neither from the ContextRecord.
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

  Patch takePatch() { return std::move(m_patch); }
  /// Drops the changes of matrices in the block that was built last. The block's scale,
  /// bias and diagnostics stay.
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
  // At first Δv / r, with the residual multiplier r: what the branch's output lacks. In a
  // block that a scale closes, `balanced` and `stable` set m_branch in missingOutput to g
  // (docs/maths.md), the whole output that the branch must have.
  Vector m_branch;
  Vector m_denseBranch;  // required output of the norm after a dense MLP beside experts
  // The input projections' inputs equal the contextual pass's, so ΔW is 0.
  bool m_sameInput = false;
  bool m_same = false;  // the context changed nothing: no patch
  ChangeLedger m_ledger;
};

}  // namespace equipatch
