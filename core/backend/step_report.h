// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/backend/step_passes.h"
#include "core/kernel/logit_metrics.h"
#include "core/model/sampler.h"
#include "core/model/torch_types.h"
#include "core/patch/patch.h"
#include "core/record/patch_factors.h"
#include "core/record/step_record.h"
#include "core/run/session.h"

namespace equipatch {

/// One pass's logits on the host, with their summary.
class PassLogits {
 public:
  /// @param logits [vocabulary], float32 or float64, on any device
  /// @param topCount the number of candidates in the summary
  PassLogits(const Tensor& logits, std::int64_t topCount);

  const LogitSummary& summary() const { return m_summary; }
  /// The most likely token; a NaN counts as −∞. −1 if `topCount` was 0.
  TokenId argmax() const;
  TokenId choose(const Sampling& sampling, StepIndex step) const;
  bool hasSameArgmaxAs(const PassLogits& patched) const {
    return argmax() == patched.argmax() && m_summary.finite && patched.m_summary.finite;
  }
  /// LogitDistance with this as `a` and `other`, of the same dtype, as `b`. If either has
  /// a logit that is not finite, TVD is 1 and the other values are infinite.
  LogitDistance distanceTo(const PassLogits& other) const;

 private:
  Tensor m_logits;
  LogitSummary m_summary;
};

/// If the request's `roundLogits` is set, rounds the logits as the arithmetic rounds
/// activations.
Tensor roundIfRequested(const Tensor& logits, const RunRequest& request,
                        const Arithmetic& arithmetic);
/// Applies `roundIfRequested`. The summary lists the request's `topChoices` candidates,
/// at least two.
PassLogits passLogitsOf(const Tensor& logits, const RunRequest& request,
                        const Arithmetic& arithmetic);

/// A token's text in valid UTF-8. Without a tokenizer: the id.
std::string tokenText(const Session& session, TokenId id);
/// The bytes that a token adds to the generated text, possibly a part of a character.
/// "<ID>" for an id outside the tokenizer's range; empty for an id in the range that has
/// no piece. Without a tokenizer: the id and a space.
std::string tokenBytes(const Session& session, TokenId id);

Choices choicesOf(const Session& session, const PassLogits& logits);

std::vector<LayerRecord> layerRecords(const PassResults& results);

/// The whole patch of a step and the activations that determine the patch.
/// @param results of a setup with StepSetup::needsPatch; otherwise, matrices may be
/// missing
std::shared_ptr<const PatchFactors> patchFactors(const PassResults& results);

/// Stores a change U Vᵀ as one rank-1 change for each column of U.
PatchFactors patchFactors(const SharedPatch& patch);

}  // namespace equipatch
