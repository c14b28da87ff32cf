// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/output_experts.h"

#include <utility>

#include "core/patch/theorems/output_matrix.h"

namespace equipatch {
namespace {

// Scales h in place and moves it into the result, to avoid a copy.
RankOne scaled(const Vector& missing, ExpertOutput& expert, double factor) {
  expert.h *= factor;
  return {missing, std::move(expert.h)};
}

std::optional<std::vector<RankOne>> leastNorm(const Vector& missing,
                                              std::vector<ExpertOutput>& experts) {
  double square = 0.0;
  for (const ExpertOutput& expert : experts)
    square += expert.gate * expert.gate * expert.h.squaredNorm();
  if (square == 0.0) return std::nullopt;
  std::vector<RankOne> changes;
  for (ExpertOutput& expert : experts)
    changes.push_back(scaled(missing, expert, expert.gate / square));
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

std::optional<std::vector<RankOne>> outputExperts(const Vector& missing,
                                                  std::vector<ExpertOutput> experts,
                                                  MoeSplit split) {
  return split == MoeSplit::LeastNorm ? leastNorm(missing, experts)
                                      : equal(missing, experts);
}

}  // namespace equipatch
