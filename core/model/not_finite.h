// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/model/block_hooks.h"

namespace equipatch {

bool allFinite(const Tensor& x);

/// x with NaN in place of infinities; may be x itself. Use it before operations such as
/// softmax, tanh, ReLU and rsqrt, which can turn an infinity into a finite number and so
/// hide an overflow.
Tensor infinityAsNaN(const Tensor& x);

/// Names and values; a value is undefined if the model lacks the parameter.
using Parameters = std::vector<std::pair<std::string, Tensor>>;

/// A part of the model whose output is not finite.
struct NotFinitePart {
  std::string name;  ///< "layer 3's attention (attn_out)"
  Parameters parameters;
};

/// An Error{Numeric} that names the part and the cause: the part's first parameter that
/// is not finite or, if all parameters are finite, the dtype whose range the output left.
Error notFinite(const NotFinitePart& part, const Arithmetic& arithmetic);

/// The parameters that a block uses after resid_post.
Parameters parametersAfterResidPost(const LayerWeights& weights);

/// Finds the first part of a block, up to resid_post, whose output is not finite.
class NotFiniteFinder final : public BlockHooks {
 public:
  void hookInProjection(const HookedBlock& block, Product& product) override;
  void hookDownProjection(const HookedBlock& block,
                          std::vector<DownProduct>& down) override;
  void hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookDenseScale(const HookedBlock& block, const Tensor& n, Tensor& branch) override;
  void hookResidPost(const HookedBlock& block, BlockSites& sites) override;

  /// The part found; its name is empty if every part is finite.
  const NotFinitePart& part() const { return m_part; }

 private:
  void lookAtScale(const HookedBlock& block, const Tensor& n, const Tensor& branch,
                   const std::string& norm, const NormWeights& weights);
  /// Keeps `part` if `output` is the first that is not finite.
  void look(const HookedBlock& block, const Tensor& output, NotFinitePart part);

  NotFinitePart m_part;
  Tensor m_n, m_branch;  ///< arguments of hookOutScale, until hookResidPost
};

}  // namespace equipatch
