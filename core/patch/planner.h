// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// The size of one token's patch by one method, over all layers. planPatch states it for
/// `balanced`. Of a MoE block only the router and the experts in use count.
struct ParameterCount {
  std::int64_t changed = 0;  ///< entries of the weights that it changes
  std::int64_t factors = 0;  ///< entries of the patch itself: u and w of a matrix, Δm, Δb

  bool operator==(const ParameterCount&) const = default;
};

/// The patch of one parameter of a block, and the statement it follows from.
struct ParameterPlan {
  std::string parameter;  ///< "W_gate", "W_down", "m (mlp_post_norm)"
  std::string change;     ///< "rank 1: W_gate (z_C − z) zᵀ / ‖z‖²"
  std::string theorem;    ///< "Lemma 7, Theorem 1 [G]"
  std::string methods;    ///< "balanced, direct" or "all"
};

/// Which statement covers which parameter of a model, from its spec alone.
struct PatchPlan {
  std::string block;                      ///< the block's form in words
  std::vector<ParameterPlan> parameters;  ///< of each layer
  std::vector<std::string>
      untouched;                 ///< parameters that are never patched, with the reason
  bool closesWithScale = false;  ///< Δm exists
  bool closesWithBias = false;   ///< Δb exists
  bool parallel = false;         ///< the MLP reads the block's input, not resid_mid
  ParameterCount size;
  std::vector<std::string> matrices;  ///< "router", "gate", "down": keys of the records

  /// For a plan of all methods: true if they patch some parameter differently.
  bool methodsDiffer() const;
};

PatchPlan planPatch(const ModelSpec& spec);

/// What this method patches. @param plan of the spec, with all methods
PatchPlan planOfMethod(PatchPlan plan, const ModelSpec& spec, Method method);

}  // namespace equipatch
