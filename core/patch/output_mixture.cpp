#include "core/patch/output_mixture.h"

#include "core/patch/output_matrix.h"

namespace equipatch {
namespace {

std::optional<std::vector<RankOne>> leastNorm(const Vector& missing,
                                              const std::vector<ExpertOutput>& experts) {
  double square = 0.0;
  for (const ExpertOutput& expert : experts)
    square += expert.gate * expert.gate * expert.h.squaredNorm();
  if (square == 0.0) return std::nullopt;
  std::vector<RankOne> changes;
  for (const ExpertOutput& expert : experts)
    changes.push_back({missing, expert.h * (expert.gate / square)});
  return changes;
}

std::optional<std::vector<RankOne>> equal(const Vector& missing,
                                          const std::vector<ExpertOutput>& experts) {
  double gates = 0.0;
  for (const ExpertOutput& expert : experts) gates += expert.gate;
  if (gates == 0.0) return std::nullopt;
  std::vector<RankOne> changes;
  for (const ExpertOutput& expert : experts) {
    const auto change = outputMatrix(missing / gates, expert.h);
    if (!change) return std::nullopt;
    changes.push_back(*change);
  }
  return changes;
}

}  // namespace

std::optional<std::vector<RankOne>> outputMixture(
    const Vector& missing, const std::vector<ExpertOutput>& experts, MixtureSplit split) {
  return split == MixtureSplit::LeastNorm ? leastNorm(missing, experts)
                                          : equal(missing, experts);
}

}  // namespace equipatch
