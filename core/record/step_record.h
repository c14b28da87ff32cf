#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/kernel/logit_metrics.h"
#include "core/record/patch_factors.h"

namespace equipatch {

/// One candidate for the next token.
struct Choice {
  TokenId id;
  std::string text;  ///< UTF-8 surface; the id where the run has no tokenizer
  double logit = 0.0;
  double probability = 0.0;

  bool operator==(const Choice&) const = default;
};

/// One pass's view of the step: its most likely tokens, best first.
using Choices = std::vector<Choice>;

/// One patched matrix of one layer. ΔW = u wᵀ, so Frobenius and spectral norm agree.
struct MatrixPatchNorm {
  std::string matrix;     ///< "gate", "up", "in", "down", "router", …: see PatchPlan
  double norm = 0.0;      ///< ‖ΔW‖_F
  double relative = 0.0;  ///< ‖ΔW‖_F / ‖W‖_F

  bool operator==(const MatrixPatchNorm&) const = default;
};

struct LayerRecord {
  std::vector<MatrixPatchNorm> matrices;
  double scaleNorm = 0.0;  ///< ‖Δm‖₂; 0 where the block closes without a norm
  double scaleMax = 0.0;   ///< max |Δm|
  std::vector<float> scaleDelta;      ///< Δm [width], empty where there is no norm scale
  double biasNorm = 0.0;              ///< ‖Δb‖₂
  std::vector<std::int64_t> experts;  ///< of a MoE block that the patched pass used
  double gateSum = 0.0;               ///< of their gates, a shared expert's included
  double effect = 0.0;                ///< ‖Δv‖ / ‖v‖
  double zNorm = 0.0;                 ///< ‖z‖
  double zCosine = 0.0;               ///< cos(z, z_C)
  double hiddenError = 0.0;           ///< ‖x' − x‖ / ‖x‖ of resid_post
  double smallestDivisor = 0.0;  ///< smallest |n| divided by; 0 where nothing is divided
  bool hardCase = false;         ///< `stable`: Appendix B's hard case
  std::int64_t guarded = 0;      ///< components a degenerate case was handled in
  std::string note;              ///< the degenerate case in words, usually empty

  /// Null where this layer has no such matrix: dense layers among sparse ones.
  const MatrixPatchNorm* find(const std::string& matrix) const {
    for (const MatrixPatchNorm& norm : matrices)
      if (norm.matrix == matrix) return &norm;
    return nullptr;
  }

  bool operator==(const LayerRecord&) const = default;
};

/// All that is known of one generation step; self-contained, immutable once published.
struct StepRecord {
  StepIndex step;
  Position position;  ///< of x
  TokenId x;          ///< newest token of the history; its successor is computed
  TokenId token;      ///< chosen by the contextual pass
  TokenId patchedToken;
  TokenId continued;      ///< what the history went on with
  std::string tokenText;  ///< UTF-8; the id where the run has no tokenizer
  std::string patchedText;
  std::string
      continuedBytes;   ///< what `continued` adds to the text, maybe half a character
  bool match = true;    ///< the most likely tokens agree
  double margin = 0.0;  ///< top-1 minus top-2 logit of the contextual pass

  Choices contextual;
  Choices patched;
  Choices bare;  ///< empty without the control

  LogitDistance patchedDistance;
  std::optional<LogitDistance> bareDistance;
  std::optional<LogitDistance>
      auditDistance;  ///< contextual pass against the replayed patch
  /// Contextual pass against itself: with its sums in another order, and, where
  /// activations are rounded, without that rounding.
  std::optional<LogitDistance> noise, rounding;

  std::vector<LayerRecord> layers;
  /// Hidden errors of those two by layer, or empty.
  std::vector<double> layerNoise, layerRounding;
  std::shared_ptr<const PatchFactors> factors;  ///< null unless asked for

  double milliseconds = 0.0;

  /// Factors are the same when they are the same object.
  bool operator==(const StepRecord&) const = default;
};

}  // namespace equipatch
