// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/patch_factors.h"
#include "core/record/step_record.h"

namespace equipatch {

/// One of the tokens that share a patch.
struct SharedTokenRecord {
  Position position;
  TokenId x;
  std::string text;
  Choice contextual;  ///< most likely next token with the context
  Choice patched;     ///< with the patched weights and without it
  bool match = true;
  double margin = 0.0;  ///< top-1 minus top-2 logit of the contextual pass
  LogitDistance patchedDistance;
  LogitDistance bareDistance;
  LogitDistance auditDistance;  ///< with every sum in another order
};

/// How large a patch for the first so many of the tokens is.
struct SharedGrowth {
  std::int64_t tokens = 0;
  std::vector<MatrixPatchNorm> matrices;  ///< medians over layers
};

/// One patch for several tokens, and what a forward with it gives.
struct SharedPatchRecord {
  /// The patch: a matrix occurs once for each token, its changes add up. Of activations
  /// nothing is kept.
  PatchFactors factors;
  std::vector<SharedTokenRecord> tokens;
  /// The hidden error is the largest of the tokens; expert choice, effect and the
  /// quantities of mlp_in differ between tokens and are not set.
  std::vector<LayerRecord> layers;
  std::vector<SharedGrowth> growth;
};

}  // namespace equipatch
