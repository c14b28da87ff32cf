// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/patch/hooks/context_recorder.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// Builds one patch that is exact for several tokens, layer by layer, during a forward
/// pass without the context (docs/maths.md, "One set of weights for several tokens").
/// Row j of the batch is token j. The loop is closed: every row runs with the patch.
class SharedPatchBuilder final : public BlockHooks {
 public:
  /// @param contexts one record per token, of its pass with the context; outlives this.
  /// @param first position of the first token; positions are consecutive.
  SharedPatchBuilder(const std::vector<ContextRecord>& contexts, Application application,
                     Position first)
      : m_contexts(contexts), m_application(application), m_first(first) {}

  /// hookInProjection and hookDownProjection throw Error{BadInput} if they find no patch
  /// that is exact for all tokens.
  void hookMlpIn(const HookedBlock& block, const Tensor& resid_mid,
                 const Tensor& mlp_in) override;
  void hookInProjection(const HookedBlock& block, Product& product) override;
  void hookDownProjection(const HookedBlock& block,
                          std::vector<DownProduct>& down) override;
  void hookDenseScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookResidPost(const HookedBlock& block, BlockSites& sites) override;

  const SharedPatch& patch() const { return m_patch; }
  /// Records by layer, with only the patch's sizes and hiddenError set. hiddenError is
  /// the largest of all tokens, or NaN if any token's is NaN.
  const std::vector<LayerRecord>& layers() const { return m_layers; }

 private:
  std::int64_t tokens() const { return static_cast<std::int64_t>(m_contexts.size()); }
  const ContextSites& context(const HookedBlock& block, std::int64_t token) const;
  /// @throws Error{BadInput} if jointControl finds no change of the matrix.
  /// @param tokens the tokens to which the columns belong; empty: all
  LowRank control(const HookedBlock& block, const std::string& matrix,
                  const Columns& missing, const Columns& inputs,
                  const std::vector<std::int64_t>& tokens = {}) const;
  /// Also sets the patch's closing scale.
  Columns missingOutputs(const HookedBlock& block, const Columns& unpatched);
  void restoreDense(const HookedBlock& block, const Columns& wanted,
                    std::vector<DownProduct>& down);
  void keep(const Product& product, const LowRank& change);

  const std::vector<ContextRecord>& m_contexts;
  Application m_application;
  Position m_first;
  SharedPatch m_patch;
  std::vector<LayerRecord> m_layers;

  // Of the block being built.
  Columns m_residMid;
  ChangeLedger m_ledger;
};

}  // namespace equipatch
