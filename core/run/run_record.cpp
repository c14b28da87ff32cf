#include "core/run/run_record.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace equipatch {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const std::size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle),
                   values.end());
  if (values.size() % 2 == 1) return values[middle];
  const double below = *std::max_element(
      values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle));
  return 0.5 * (below + values[middle]);
}

}  // namespace

RunSummary summarise(const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  RunSummary summary;
  std::vector<double> linf, bare, audit, noise;
  double milliseconds = 0.0;
  for (const auto& step : steps) {
    ++summary.steps;
    summary.matches += step->match ? 1 : 0;
    linf.push_back(step->patchedDistance.linf);
    summary.linfMax = std::max(summary.linfMax, step->patchedDistance.linf);
    summary.tvdMax = std::max(summary.tvdMax, step->patchedDistance.tvd);
    if (step->bareDistance) bare.push_back(step->bareDistance->linf);
    if (step->auditDistance) {
      audit.push_back(step->auditDistance->linf);
      summary.auditLinfMax = std::max(summary.auditLinfMax, step->auditDistance->linf);
    }
    if (step->noise) {
      noise.push_back(step->noise->linf);
      summary.noiseLinfMax = std::max(summary.noiseLinfMax, step->noise->linf);
    }
    milliseconds += step->milliseconds;
    summary.text += step->continuedBytes;
  }
  summary.linfMedian = median(linf);
  summary.bareLinfMedian = median(bare);
  summary.auditLinfMedian = median(audit);
  summary.noiseLinfMedian = median(noise);
  if (summary.steps > 0)
    summary.millisecondsPerStep = milliseconds / static_cast<double>(summary.steps);
  summary.text = replaceInvalidUtf8(summary.text);
  return summary;
}

}  // namespace equipatch
