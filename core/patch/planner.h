// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// The size of one token's patch over all layers. Of a MoE block's routed experts, only
/// those that the token uses count.
struct ParameterCount {
  std::int64_t changed = 0;  ///< entries of the weights that the patch changes
  std::int64_t factors = 0;  ///< entries of the patch itself: u and w, Δm, Δm₁, Δb

  bool operator==(const ParameterCount&) const = default;
};

/// The patch of one parameter of a block, and the theorem from which it follows.
struct ParameterPlan {
  std::string parameter;  ///< "W_gate", "W_down", "m (mlp_post_norm)"
  std::string change;     ///< "rank 1: ΔW = W_gate (z_C − z) zᵀ / ‖z‖²"
  std::string theorem;    ///< "elementwise scale: Lemma 10, Theorem 1"
  std::string methods;    ///< "balanced, stable", "direct", …, or "all"
};

/// Which parameters of a model's blocks are patched, how and by which theorem.
struct PatchPlan {
  std::string block;  ///< the block's form in words
  /// The token mixer; "attention or Gated DeltaNet" for a hybrid of both.
  std::string mixer = "attention";
  std::vector<ParameterPlan> parameters;  ///< of all kinds of layers together
  /// Parameters that are not patched, with the reason.
  std::vector<std::string> untouched;
  bool closesWithScale = false;  ///< Δm exists
  bool closesWithBias = false;   ///< Δb exists, in some layers at least
  bool parallel = false;         ///< the MLP reads the block's input, not resid_mid
  ParameterCount size;
  /// The patched matrices by their names in MatrixPatchNorm; may contain kDenseScale.
  std::vector<std::string> matrices;

  /// Whether the methods patch any parameter differently; only for plans by planPatch.
  bool methodsDiffer() const;
};

/// The plan for all methods. Its `size` is that of a patch by `balanced` or `stable`.
PatchPlan planPatch(const ModelSpec& spec);

/// The part of a plan that holds for this method. @param plan result of planPatch(spec)
PatchPlan planOfMethod(PatchPlan plan, const ModelSpec& spec, Method method);

}  // namespace equipatch
