#include "core/backend/step_metrics.h"

#include <limits>

namespace equipatch {
namespace {

template <typename Real>
std::span<const Real> spanOf(const Tensor& logits) {
  return {logits.data_ptr<Real>(), static_cast<std::size_t>(logits.numel())};
}

bool isDouble(const Tensor& logits) {
  return logits.scalar_type() == at::kDouble;
}

}  // namespace

PassLogits::PassLogits(const Tensor& logits, std::int64_t topCount)
    : m_logits(logits.to(at::kCPU).contiguous()),
      m_summary(isDouble(m_logits) ? summariseLogits(spanOf<double>(m_logits), topCount)
                                   : summariseLogits(spanOf<float>(m_logits), topCount)) {
}

TokenId PassLogits::best() const {
  return TokenId(m_summary.top.empty() ? -1 : m_summary.top.front().index);
}

TokenId PassLogits::choose(const Sampling& sampling, StepIndex step) const {
  const bool greedy = sampling.temperature <= 0.0;
  if (greedy && !m_summary.top.empty()) return best();
  return isDouble(m_logits) ? chooseToken(spanOf<double>(m_logits), sampling, step)
                            : chooseToken(spanOf<float>(m_logits), sampling, step);
}

LogitDistance PassLogits::distanceTo(const PassLogits& other) const {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (!m_summary.finite || !other.m_summary.finite) return {kInfinite, 1.0, kInfinite};
  const double lse = m_summary.logSumExp, otherLse = other.m_summary.logSumExp;
  return isDouble(m_logits) ? compareLogits(spanOf<double>(m_logits), lse,
                                            spanOf<double>(other.m_logits), otherLse)
                            : compareLogits(spanOf<float>(m_logits), lse,
                                            spanOf<float>(other.m_logits), otherLse);
}

}  // namespace equipatch
