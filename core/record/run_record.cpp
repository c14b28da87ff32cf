// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_record.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/record/file/run_tables.h"
#include "core/record/quantile.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

/// The L∞ of one distance over all steps that measured it.
struct StepValues {
  std::vector<double> values;

  void add(const std::optional<LogitDistance>& distance) {
    if (distance) values.push_back(distance->linf);
  }
  double median() const { return quantile(values, 0.5); }
  double largest() const { return quantile(values, 1.0); }
};

/// Replaces NaN, which does not equal itself, by a number that no record contains.
struct NaNAsNumber {
  template <typename Field>
  void operator()(const FieldName&, Field&& field) const {
    if constexpr (std::is_same_v<std::remove_cvref_t<Field>, double>) replace(field);
  }
  template <typename Distance>
  void operator()(const FieldName&, DistancePart<Distance> field) const {
    if (field.distance) replace((*field.distance).*field.part);
  }
  template <typename Real>
  static void replace(Real& number) {
    if (std::isnan(number)) number = std::numeric_limits<Real>::lowest();
  }
};

/// The part of a record that `sameResults` compares, without NaN.
StepRecord computed(StepRecord record) {
  record.milliseconds = 0.0;
  record.factors = nullptr;
  const NaNAsNumber at;
  stepColumns(at, record);
  for (std::vector<double>* errors : {&record.layerNoise, &record.layerRounding})
    for (double& error : *errors) NaNAsNumber::replace(error);
  for (Choices* choices :
       {&record.contextual, &record.patched, &record.bare, &record.ablated})
    for (Choice& choice : *choices) {
      choice.bytes.clear();  // follow from the id; older files lack them
      choiceColumns(at, choice);
    }
  for (LayerRecord& layer : record.layers) {
    layerColumns(at, layer);
    for (MatrixPatchNorm& matrix : layer.matrices) matrixColumns(at, matrix);
    for (float& change : layer.scaleDelta) NaNAsNumber::replace(change);
  }
  return record;
}

}  // namespace

std::optional<bool> sampledMatchOf(const StepRecord& step, const RunRequest& request) {
  if (!request.samples()) return std::nullopt;
  return step.token == step.patchedToken && std::isfinite(step.patchedDistance.linf);
}

RunSummary summarise(const Steps& steps) {
  RunSummary summary;
  StepValues patched, bare, audit, noise, rounding;
  std::vector<double> bareKl, ablatedKl;
  double milliseconds = 0.0;
  for (const auto& step : steps) {
    ++summary.steps;
    summary.matches += step->match ? 1 : 0;
    if (step->sampledMatch)
      summary.sampledMatches =
          summary.sampledMatches.value_or(0) + (*step->sampledMatch ? 1 : 0);
    summary.tvdMax = maximum(summary.tvdMax, step->patchedDistance.tvd);
    patched.add(step->patchedDistance);
    bare.add(step->bareDistance);
    if (step->bareDistance) bareKl.push_back(step->bareDistance->kl);
    if (step->ablatedDistance) ablatedKl.push_back(step->ablatedDistance->kl);
    audit.add(step->auditDistance);
    noise.add(step->noise);
    rounding.add(step->rounding);
    summary.hasRounding = summary.hasRounding || step->rounding.has_value();
    milliseconds += step->milliseconds;
    summary.text += step->continuedBytes;
  }
  summary.linfMedian = patched.median();
  summary.linfMax = patched.largest();
  summary.bareLinfMedian = bare.median();
  summary.bareKlMedian = quantile(bareKl, 0.5);
  summary.bareKlMax = quantile(bareKl, 1.0);
  summary.ablatedKlMedian = quantile(ablatedKl, 0.5);
  summary.ablatedKlMax = quantile(ablatedKl, 1.0);
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

bool sameResults(const StepRecord& a, const StepRecord& b) {
  return computed(a) == computed(b);
}

std::vector<std::string> differentWeights(const Provenance& then, const Provenance& now) {
  std::vector<std::string> clauses;
  if (then.configSha256 != now.configSha256) clauses.emplace_back("config.json differs");
  if (then.tensorFiles.size() != now.tensorFiles.size()) {
    clauses.push_back(countText(now.tensorFiles.size(), "tensor file") + " instead of " +
                      std::to_string(then.tensorFiles.size()));
    return clauses;
  }
  for (std::size_t index = 0; index < now.tensorFiles.size(); ++index) {
    const TensorFileHash &before = then.tensorFiles[index],
                         &after = now.tensorFiles[index];
    if (before.headerSha256 != after.headerSha256)
      clauses.push_back(after.file + " has a different header");
    else if (!before.dataSampleSha256.empty() && !after.dataSampleSha256.empty() &&
             before.dataSampleSha256 != after.dataSampleSha256)
      clauses.push_back(after.file + " has other values");
  }
  return clauses;
}

}  // namespace equipatch
