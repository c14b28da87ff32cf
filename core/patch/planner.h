// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// The size of one token's patch by one method, over all layers. planPatch states it for
/// `balanced` and `stable`, whose patches have the same size. Of a MoE block's routed
/// experts, only those that the token uses count.
struct ParameterCount {
  std::int64_t changed = 0;  ///< entries of the weights that the patch changes
  std::int64_t factors = 0;  ///< entries of the patch itself: u and w, Δm, Δm₁, Δb

  bool operator==(const ParameterCount&) const = default;
};

/// The patch of one parameter of a block, and the statement it follows from.
struct ParameterPlan {
  std::string parameter;  ///< "W_gate", "W_down", "m (mlp_post_norm)"
  std::string change;     ///< "rank 1: ΔW = W_gate (z_C − z) zᵀ / ‖z‖²"
  std::string theorem;    ///< "elementwise scale: Lemma 10, Theorem 1"
  std::string methods;    ///< "balanced, stable", "direct", …, or "all"
};

/// Which statement covers which parameter of a model, from its spec alone.
struct PatchPlan {
  std::string block;  ///< the block's form in words
  /// What brings the context into a block; "attention or Gated DeltaNet" where the layers
  /// have one or the other.
  std::string mixer = "attention";
  std::vector<ParameterPlan> parameters;  ///< of all kinds of layers together
  std::vector<std::string>
      untouched;                 ///< parameters that are never patched, with the reason
  bool closesWithScale = false;  ///< Δm exists
  bool closesWithBias = false;   ///< Δb exists, in some layers at least
  bool parallel = false;         ///< the MLP reads the block's input, not resid_mid
  ParameterCount size;
  /// The names of the patched matrices in the records (MatrixPatchNorm): "router",
  /// "gate", "down", …, and kDenseScale.
  std::vector<std::string> matrices;

  /// Whether the methods patch any parameter differently; only for a plan of planPatch.
  bool methodsDiffer() const;
};

PatchPlan planPatch(const ModelSpec& spec);

/// The part of a plan that holds for this method. @param plan result of planPatch(spec)
PatchPlan planOfMethod(PatchPlan plan, const ModelSpec& spec, Method method);

}  // namespace equipatch
