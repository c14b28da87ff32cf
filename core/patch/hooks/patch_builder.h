#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/model/block_hooks.h"
#include "core/patch/hooks/change_ledger.h"
#include "core/patch/hooks/context_recorder.h"
#include "core/patch/layer_diagnostics.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// Which rows of a batch take part in building a patch.
struct BuilderRows {
  /// Gives v and z of the context-free token. In the open loop it is the reduced row,
  /// which gets the contextual pass's own input at every layer; otherwise the patched row
  /// itself.
  std::int64_t source = 0;
  /// Runs with the patch as it is built; −1 when only the patch is wanted.
  std::int64_t patched = 0;
};

/// Builds the patch of one token, layer by layer, while the rows go through the model
/// [G, Algorithm 1 with x'_l = Block_l(x'_{l−1}; θ'_l); Theorem 1 and 5, Lemma 12], and
/// runs the patched row with it. Which formula applies follows from the block (does it
/// close with a scale, a bias, experts?) and from the options; each formula has its own
/// file.
class PatchBuilder final : public BlockHooks {
 public:
  /// @param context what the contextual pass had; a layer's entry must be filled before
  ///   the layer's callbacks. Outlives this.
  PatchBuilder(const ContextRecord& context, BuilderRows rows, PatchOptions options);

  /// Whether h and n are the patched pass's: the context's record then needs none.
  static bool ownActivations(const PatchOptions& options) {
    return options.loop == Loop::Closed;
  }

  void hookMlpIn(const BlockView& block, const Tensor& v, const Tensor& z) override;
  void hookInProjection(const BlockView& block, Product& product) override;
  void hookDownProjection(const BlockView& block,
                          std::vector<DownProduct>& last) override;
  void hookOutBias(const BlockView& block, Tensor& bias) override;
  void hookOutScale(const BlockView& block, const Tensor& n, Tensor& branch) override;
  void hookResidPost(const BlockView& block, BlockSites& sites) override;

  const Patch& patch() const { return m_patch; }
  /// The finished patch, handed over: it is megabytes for a large model.
  Patch takePatch() { return std::move(m_patch); }
  /// Forgets the factors of the block that was built last, whose diagnostics stay.
  void dropMatrices() { m_patch.back().matrices = {}; }
  const std::vector<LayerDiagnostics>& diagnostics() const { return m_diagnostics; }

 private:
  const ContextSites& target(const BlockView& block) const;
  bool ownActivations() const { return ownActivations(m_options); }
  void applyFirst(const BlockView& block, const RankOne& change, Product& product) const;
  Vector splitScale(const Vector& m, const Vector& y, double eps);
  std::optional<Vector> missingOutput(const BlockView& block, const Vector& y);
  void restoreOutput(const BlockView& block, const Vector& missing,
                     std::vector<LastTarget> outputs,
                     const std::vector<DownProduct>& last);
  void keepBias(const BlockView& block, const Vector& bias, const Vector& missing);
  void normBias(const BlockView& block, const Tensor& n, Tensor& branch);
  void directScale(const BlockView& block, const Vector& missing, const Vector& n);
  void keep(RankOne&& change, MatrixId matrix);
  void degenerate(const char* note, std::int64_t components = 1);

  const ContextRecord& m_context;
  BuilderRows m_rows;
  PatchOptions m_options;
  Patch m_patch;
  std::vector<LayerDiagnostics> m_diagnostics;

  // Of the block being built.
  Vector m_v, m_z;           // of the source row
  Vector m_g;                // what the branch must add
  bool m_sameInput = false;  // z = z_C: the input projections need no patch
  bool m_same = false;       // the context changed nothing: no patch
  ChangeLedger m_ledger;
};

}  // namespace equipatch
