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
  /// @param logits [vocabulary], float32 or float64, on any device.
  /// @param topCount the number of candidates in the summary
  PassLogits(const Tensor& logits, std::int64_t topCount);

  const LogitSummary& summary() const { return m_summary; }
  /// The most likely token; a NaN counts as −∞. −1 if `topCount` was 0.
  TokenId argmax() const;
  TokenId choose(const Sampling& sampling, StepIndex step) const;
  /// The most likely tokens agree, and both passes are finite.
  bool hasSameArgmaxAs(const PassLogits& patched) const {
    return argmax() == patched.argmax() && m_summary.finite && patched.m_summary.finite;
  }
  /// Distance of `other`, of the same dtype, from this. When either is not finite, TVD is
  /// 1 and the rest infinite.
  LogitDistance distanceTo(const PassLogits& other) const;

 private:
  Tensor m_logits;
  LogitSummary m_summary;
};

/// The logits, rounded as the arithmetic rounds activations if the request says so.
Tensor roundIfRequested(const Tensor& logits, const RunRequest& request,
                        const Arithmetic& arithmetic);
/// The logits of `roundIfRequested`, summarised with as many candidates as a record
/// lists, at least two.
PassLogits passLogitsOf(const Tensor& logits, const RunRequest& request,
                        const Arithmetic& arithmetic);

/// A token's readable text, as records show it; its id without a tokenizer.
std::string tokenText(const Session& session, TokenId id);
/// The bytes that a token adds to the generated text; may be a part of a character. An id
/// beyond the tokenizer's largest gives "<ID>", a smaller one without a piece nothing.
/// Without a tokenizer: the id and a space.
std::string tokenBytes(const Session& session, TokenId id);

/// A pass's candidates with their texts and probabilities.
Choices choicesOf(const Session& session, const PassLogits& logits);

/// The part of a StepRecord that describes the layers.
std::vector<LayerRecord> layerRecords(const PassResults& results);

/// The whole patch of a step and the activations that determine it, as plain data.
/// @param results of a setup with StepSetup::needsPatch; otherwise the matrices may be
/// missing
std::shared_ptr<const PatchFactors> patchFactors(const PassResults& results);

/// The factors of a patch for several tokens: a rank-1 change for each matrix and token.
PatchFactors patchFactors(const SharedPatch& patch);

}  // namespace equipatch
