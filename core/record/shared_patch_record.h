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
  Choice patched;     ///< most likely without the context, with patched weights
  bool match = true;
  double margin = 0.0;  ///< top-1 minus top-2 logit of the contextual pass
  LogitDistance patchedDistance;
  LogitDistance bareDistance;
  LogitDistance auditDistance;  ///< patched pass with every sum in another order
};

/// The size of a patch for the first `tokens` tokens alone.
struct SharedGrowth {
  std::int64_t tokens = 0;
  std::vector<MatrixPatchNorm> matrices;  ///< medians over layers
};

/// One patch for several tokens, and the results of a forward pass with it.
struct SharedPatchRecord {
  /// A matrix occurs at most once per token; the sum of its occurrences is its patch.
  /// Activations are not kept.
  PatchFactors factors;
  std::vector<SharedTokenRecord> tokens;
  /// Sizes of the patch by layer; `hiddenError` is the largest over the tokens, or NaN if
  /// a token has NaN. Values that differ between tokens, such as `experts`, `effect` and
  /// `zNorm`, are not set.
  std::vector<LayerRecord> layers;
  std::vector<SharedGrowth> growth;  ///< for 1, 2, 4, … and all tokens
};

}  // namespace equipatch
