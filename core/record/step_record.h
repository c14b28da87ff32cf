// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/kernel/logit_metrics.h"
#include "core/patch/layer_record.h"
#include "core/patch/patch_options.h"
#include "core/record/patch_factors.h"

namespace equipatch {

/// One candidate for the next token.
struct Choice {
  TokenId id;
  std::string text;  ///< in UTF-8; the id where the run has no tokenizer
  double logit = 0.0;
  double probability = 0.0;
  /// "E2 96", the token's bytes where they do not form whole characters; otherwise empty.
  std::string bytes = {};

  bool operator==(const Choice&) const = default;
};

/// A pass's most likely next tokens, best first.
using Choices = std::vector<Choice>;

/// The result of one generation step; self-contained, immutable once published.
struct StepRecord {
  StepIndex step;
  Position position;  ///< of `x` in the sequence
  TokenId x;          ///< newest token of the history; the step computes the next one
  TokenId token;      ///< chosen by the contextual pass
  TokenId patchedToken;
  TokenId continued;      ///< appended to the history: `patchedToken` with
                          ///< RunRequest::freeRun, else `token`
  std::string tokenText;  ///< UTF-8; the id where the run has no tokenizer
  std::string patchedText;
  std::string continuedBytes;  ///< what `continued` adds to the text; may begin or end
                               ///< within a character
  /// True if the most likely tokens of the contextual and the patched pass agree and come
  /// from finite logits, whatever tokens were sampled.
  bool match = true;
  /// True if `token` and `patchedToken` agree and come from finite logits; empty where
  /// the run does not sample.
  std::optional<bool> sampledMatch;
  double margin = 0.0;  ///< top-1 minus top-2 logit of the contextual pass

  Choices contextual;
  Choices patched;
  Choices bare;     ///< empty when the run has no bare pass
  Choices ablated;  ///< empty when the run has no ablated pass

  // In each LogitDistance, `a` is the contextual pass.
  LogitDistance patchedDistance;
  std::optional<LogitDistance> bareDistance;
  std::optional<LogitDistance> ablatedDistance;
  /// `b` replays the patched pass from its finished patch, with sums in another order.
  std::optional<LogitDistance> auditDistance;
  /// `b` repeats the contextual pass: `noise` with sums in another order, `rounding`
  /// (16-bit dtypes only) with unrounded activations.
  std::optional<LogitDistance> noise, rounding;

  std::vector<LayerRecord> layers;
  /// Hidden errors of the passes of `noise` and `rounding`, by layer; empty where not
  /// measured.
  std::vector<double> layerNoise, layerRounding;
  std::shared_ptr<const PatchFactors> factors;  ///< null if not kept or not read

  double milliseconds = 0.0;  ///< wall time of the step

  /// Compares factors by address, not by value.
  bool operator==(const StepRecord&) const = default;
};

/// A copy without Δm and the factors, which take nearly all of a record's memory.
inline std::shared_ptr<const StepRecord> withoutVectors(const StepRecord& step) {
  auto light = std::make_shared<StepRecord>(step);
  // Assigning {} would empty the vector and keep its memory.
  for (LayerRecord& layer : light->layers) std::vector<float>().swap(layer.scaleDelta);
  light->factors = nullptr;
  return light;
}

/// The patched pass of a step with only a part of its patch.
struct StrengthReading {
  PatchStrength strength;
  Choices choices;
  LogitDistance distance;    ///< `a` is the contextual pass, `b` this pass
  double probability = 0.0;  ///< of the contextual pass's most likely token in this pass
  bool match = true;         ///< the most likely tokens agree

  bool operator==(const StrengthReading&) const = default;
};

}  // namespace equipatch
