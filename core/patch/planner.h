// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// The size of one token's patch by one method, over all layers. planPatch states it for
/// `balanced` and `stable`, which are equal in it. Of the routed experts of a MoE block
/// only as many count as are in use.
struct ParameterCount {
  std::int64_t changed = 0;  ///< entries of the weights that it changes
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
  /// "router", "gate", "down": names in the records (MatrixPatchNorm), kDenseScale too.
  std::vector<std::string> matrices;

  /// For a plan of all methods: true if they patch some parameter differently.
  bool methodsDiffer() const;
};

PatchPlan planPatch(const ModelSpec& spec);

/// What this method patches. @param plan of the spec, with all methods
PatchPlan planOfMethod(PatchPlan plan, const ModelSpec& spec, Method method);

}  // namespace equipatch
