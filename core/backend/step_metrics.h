#pragma once

#include <cstdint>

#include "core/kernel/logit_metrics.h"
#include "core/model/sampler.h"
#include "core/model/torch_types.h"
#include "core/record/step_record.h"

namespace equipatch {

/// One pass's logits on the host, summarised once.
class PassLogits {
 public:
  /// @param logits [vocabulary], float32 or float64, on any device.
  PassLogits(const Tensor& logits, std::int64_t topCount);

  const LogitSummary& summary() const { return m_summary; }
  /// Most likely token; −1 when no logit is a number.
  TokenId best() const;
  TokenId choose(const Sampling& sampling, StepIndex step) const;
  /// Distance of `other` from this. All infinite (TVD 1) when either is not finite.
  LogitDistance distanceTo(const PassLogits& other) const;

 private:
  Tensor m_logits;
  LogitSummary m_summary;
};

}  // namespace equipatch
