#include "core/model/moe_routing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace equipatch {
namespace {

/// The kept experts of one row, most probable first; NaN, which has no place in an order,
/// comes last.
std::vector<std::int64_t> best(const double* probabilities, const MoeSpec& moe) {
  const auto rank = [&](std::int64_t expert) {
    return std::isnan(probabilities[expert]) ? -1.0 : probabilities[expert];
  };
  std::vector<std::int64_t> experts(static_cast<std::size_t>(moe.experts));
  std::iota(experts.begin(), experts.end(), 0);
  const auto kept = experts.begin() + moe.active;
  std::partial_sort(experts.begin(), kept, experts.end(),
                    [&](std::int64_t a, std::int64_t b) {
                      return rank(a) > rank(b) || (rank(a) == rank(b) && a < b);
                    });
  experts.erase(kept, experts.end());
  return experts;
}

struct Members {
  std::vector<std::int64_t> rows;
  std::vector<double> gates;
};

}  // namespace

std::vector<RoutedExpert> route(const Tensor& scores, const MoeSpec& moe,
                                const Arithmetic& arithmetic) {
  const Tensor probabilities =
      at::softmax(scores, -1).to(at::kCPU, at::kDouble).contiguous();
  std::map<std::int64_t, Members> members;
  for (std::int64_t row = 0; row < scores.size(0); ++row) {
    const double* of = probabilities.data_ptr<double>() + row * moe.experts;
    const std::vector<std::int64_t> experts = best(of, moe);
    double sum = 1.0;
    if (moe.normaliseGates) {
      sum = 0.0;
      for (const std::int64_t expert : experts) sum += of[expert];
    }
    for (const std::int64_t expert : experts) {
      members[expert].rows.push_back(row);
      members[expert].gates.push_back(of[expert] / sum);
    }
  }
  std::vector<RoutedExpert> shares;
  for (auto& [expert, member] : members)
    shares.push_back({expert, std::move(member.rows),
                      arithmetic.round(at::tensor(member.gates, at::kDouble)
                                           .to(scores.device(), arithmetic.wide()))});
  return shares;
}

}  // namespace equipatch
