// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/hash.h"

namespace equipatch {
namespace {

struct Candidate {
  std::int64_t id;
  double score;  // logit / temperature, at the end with noise
};

bool likelier(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

double gumbelNoise(std::uint64_t seed, StepIndex step, std::int64_t id) {
  const auto position = static_cast<std::uint64_t>(step.value);
  const std::uint64_t bits = splitMix64(splitMix64(splitMix64(seed) ^ position) ^
                                        static_cast<std::uint64_t>(id));
  const double uniform = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
  // The largest `bits` round `uniform` to 1, which would make the noise infinite.
  return -std::log(-std::log(std::min(uniform, 1.0 - 0x1p-53)));
}

template <typename Real>
TokenId greedy(std::span<const Real> logits) {
  std::int64_t best = -1;
  for (std::size_t id = 0; id < logits.size(); ++id)
    if (!std::isnan(logits[id]) &&
        (best < 0 || logits[id] > logits[static_cast<std::size_t>(best)]))
      best = static_cast<std::int64_t>(id);
  return TokenId(std::max<std::int64_t>(best, 0));
}

void keepTopK(std::vector<Candidate>& candidates, std::int64_t topK) {
  const auto count = static_cast<std::size_t>(topK);
  if (topK <= 0 || count >= candidates.size()) return;
  std::nth_element(candidates.begin(), candidates.begin() + topK, candidates.end(),
                   likelier);
  candidates.resize(count);
}

void keepTopP(std::vector<Candidate>& candidates, double topP) {
  if (topP >= 1.0 || candidates.empty()) return;
  std::sort(candidates.begin(), candidates.end(), likelier);
  double total = 0.0;
  const double most = candidates.front().score;
  for (const Candidate& candidate : candidates) total += std::exp(candidate.score - most);
  double reached = 0.0;
  std::size_t count = 0;
  while (count < candidates.size() && reached < topP * total)
    reached += std::exp(candidates[count++].score - most);
  candidates.resize(std::max<std::size_t>(count, 1));
}

template <typename Real>
TokenId choose(std::span<const Real> logits, const Sampling& sampling, StepIndex step) {
  if (sampling.temperature <= 0.0) return greedy(logits);
  constexpr double kColdest = 1e-200;  // below it, logit / temperature may overflow
  const double temperature = std::max(sampling.temperature, kColdest);
  std::vector<Candidate> candidates;
  candidates.reserve(logits.size());
  for (std::size_t id = 0; id < logits.size(); ++id)
    if (!std::isnan(logits[id]))
      candidates.push_back(
          {static_cast<std::int64_t>(id), static_cast<double>(logits[id]) / temperature});
  if (candidates.empty()) return TokenId(0);
  keepTopK(candidates, sampling.topK);
  keepTopP(candidates, sampling.topP);
  for (Candidate& candidate : candidates)
    candidate.score += gumbelNoise(sampling.seed, step, candidate.id);
  return TokenId(std::min_element(candidates.begin(), candidates.end(), likelier)->id);
}

}  // namespace

TokenId chooseToken(std::span<const float> logits, const Sampling& sampling,
                    StepIndex step) {
  return choose(logits, sampling, step);
}

TokenId chooseToken(std::span<const double> logits, const Sampling& sampling,
                    StepIndex step) {
  return choose(logits, sampling, step);
}

}  // namespace equipatch
