#include "core/record/run_record.h"

#include <algorithm>

#include "core/base/strings.h"
#include "core/record/quantile.h"

namespace equipatch {
namespace {

/// One distance over all steps, where it was measured.
struct Spread {
  std::vector<double> values;

  void add(const std::optional<LogitDistance>& distance) {
    if (distance) values.push_back(distance->linf);
  }
  double median() const { return quantile(values, 0.5); }
  double largest() const {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  }
};

}  // namespace

RunSummary summarise(const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  RunSummary summary;
  Spread patched, bare, audit, noise, rounding;
  double milliseconds = 0.0;
  for (const auto& step : steps) {
    ++summary.steps;
    summary.matches += step->match ? 1 : 0;
    summary.tvdMax = std::max(summary.tvdMax, step->patchedDistance.tvd);
    patched.add(step->patchedDistance);
    bare.add(step->bareDistance);
    audit.add(step->auditDistance);
    noise.add(step->noise);
    rounding.add(step->rounding);
    milliseconds += step->milliseconds;
    summary.text += step->continuedBytes;
  }
  summary.linfMedian = patched.median();
  summary.linfMax = patched.largest();
  summary.bareLinfMedian = bare.median();
  summary.auditLinfMedian = audit.median();
  summary.auditLinfMax = audit.largest();
  summary.noiseLinfMedian = noise.median();
  summary.noiseLinfMax = noise.largest();
  summary.roundingLinfMedian = rounding.median();
  summary.roundingLinfMax = rounding.largest();
  if (summary.steps > 0)
    summary.millisecondsPerStep = milliseconds / static_cast<double>(summary.steps);
  summary.text = replaceInvalidUtf8(summary.text);
  return summary;
}

}  // namespace equipatch
