// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/verdict.h"

#include <algorithm>
#include <cmath>

#include "core/base/number_format.h"

namespace equipatch {
namespace {

/// Three digits, as in the tables that are shown beside the sentence.
std::string text(double number) {
  constexpr double kLeastPlain = 1e-3;
  return number != 0.0 && std::abs(number) < kLeastPlain ? scientificText(number, 2)
                                                         : shortText(number, 3);
}

void raise(std::vector<double>& largest, const std::vector<double>& errors) {
  if (largest.size() < errors.size()) largest.resize(errors.size(), 0.0);
  for (std::size_t layer = 0; layer < errors.size(); ++layer)
    if (std::isfinite(errors[layer]))
      largest[layer] = std::max(largest[layer], errors[layer]);
}

/// False for NaN, which counts as above every floor.
bool within(double error, double floor) {
  return error <= kRoundingReach * floor;
}

std::optional<std::int64_t> firstLayerAbove(const StepRecord& step,
                                            const NoiseFloor& floor) {
  const std::size_t layers = std::min(step.layers.size(), floor.layers.size());
  for (std::size_t layer = 0; layer < layers; ++layer)
    if (!within(step.layers[layer].hiddenError, floor.layers[layer]))
      return static_cast<std::int64_t>(layer);
  return std::nullopt;
}

/// "the run's largest noise floor, 0.05".
std::string floorText(const NoiseFloor& floor) {
  return "the run's largest noise floor, " + text(floor.linf) +
         (floor.overflowed ? " (without noise references that hold NaN or infinity)"
                           : "");
}

/// How L∞ compares with the floor. Requires an L∞ of at most kRoundingReach × floor.
std::string withinReach(double linf, const NoiseFloor& floor) {
  return "L∞ " + text(linf) +
         (linf <= floor.linf ? " is no larger than " : " is at most ten times ") +
         floorText(floor);
}

Verdict notFinite(const StepRecord& step) {
  const auto layer = std::ranges::find_if(step.layers, [](const LayerRecord& record) {
    return !std::isfinite(record.hiddenError);
  });
  Verdict verdict{VerdictKind::MethodError, std::nullopt,
                  "method error: the patched pass's logits hold NaN or infinity"};
  if (layer == step.layers.end()) return verdict;
  verdict.layer = layer - step.layers.begin();
  verdict.sentence += "; layer " + std::to_string(*verdict.layer) +
                      " is the first whose output does; a wider dtype may help";
  return verdict;
}

Verdict methodError(const StepRecord& step, const NoiseFloor& floor) {
  Verdict verdict{VerdictKind::MethodError, firstLayerAbove(step, floor), {}};
  verdict.sentence = "method error: L∞ " + text(step.patchedDistance.linf) +
                     " is more than ten times " + floorText(floor);
  if (verdict.layer)
    verdict.sentence +=
        "; layer " + std::to_string(*verdict.layer) +
        " is the first whose hidden error is more than ten times its own noise floor";
  verdict.sentence +=
      step.match ? "; the most likely tokens agree nevertheless"
                 : "; the most likely tokens differ (margin " + text(step.margin) + ")";
  return verdict;
}

Verdict unmeasured(const StepRecord& step, const NoiseFloor& floor) {
  const std::string numbers =
      "L∞ " + text(step.patchedDistance.linf) + ", margin " + text(step.margin) +
      (floor.overflowed ? "; the noise floor could not be measured, because the noise "
                          "references hold NaN or infinity; a wider dtype may help"
                        : "; the noise floor was not measured");
  return {VerdictKind::Unmeasured, std::nullopt,
          (step.match ? "the most likely tokens agree, "
                      : "the most likely tokens differ, ") +
              numbers};
}

}  // namespace

void NoiseFloor::include(const StepRecord& step) {
  for (const auto& distance : {step.noise, step.rounding}) {
    if (!distance) continue;
    if (!std::isfinite(distance->linf)) {
      overflowed = true;
      continue;
    }
    measured = true;
    linf = std::max(linf, distance->linf);
  }
  raise(layers, step.layerNoise);
  raise(layers, step.layerRounding);
}

NoiseFloor floorOf(const StepRecord& step) {
  NoiseFloor floor;
  floor.include(step);
  return floor;
}

NoiseFloor floorOf(const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  NoiseFloor floor;
  for (const auto& step : steps) floor.include(*step);
  return floor;
}

Verdict judge(const StepRecord& step, const NoiseFloor& floor,
              const PatchStrength& strength) {
  const double linf = step.patchedDistance.linf;
  if (!std::isfinite(linf)) return notFinite(step);
  if (!strength.whole())
    return {VerdictKind::PartOfPatch, std::nullopt,
            "strength or layers changed the patch: a difference is to be expected"};
  if (linf == 0.0)
    return {VerdictKind::Exact, std::nullopt, "the passes agree to the last bit"};
  if (!floor.measured) return unmeasured(step, floor);
  if (!within(linf, floor.linf)) return methodError(step, floor);
  const std::string reach = withinReach(linf, floor);
  if (!step.match)
    return {VerdictKind::NearTie, std::nullopt,
            "near tie, which rounding can flip: " + reach + ", and the margin is only " +
                text(step.margin)};
  if (linf <= floor.linf)
    return {VerdictKind::Exact, std::nullopt,
            "within noise: the patched pass's " + reach};
  return {VerdictKind::Rounding, std::nullopt,
          "rounding: " + reach + "; the margin is " + text(step.margin)};
}

int severity(VerdictKind kind) {
  constexpr std::array kFromGoodToBad{VerdictKind::Exact,      VerdictKind::Rounding,
                                      VerdictKind::NearTie,    VerdictKind::PartOfPatch,
                                      VerdictKind::Unmeasured, VerdictKind::MethodError};
  static_assert(kFromGoodToBad.size() == kVerdictKinds);
  return static_cast<int>(std::ranges::find(kFromGoodToBad, kind) -
                          kFromGoodToBad.begin());
}

std::string_view name(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Exact:
      return "exact";
    case VerdictKind::Rounding:
      return "rounding";
    case VerdictKind::NearTie:
      return "near_tie";
    case VerdictKind::MethodError:
      return "method_error";
    case VerdictKind::PartOfPatch:
      return "part_of_patch";
    case VerdictKind::Unmeasured:
      break;
  }
  return "unmeasured";
}

std::string spelled(VerdictKind kind) {
  if (kind == VerdictKind::Exact) return "within noise";
  std::string words(name(kind));
  std::ranges::replace(words, '_', ' ');
  return words;
}

VerdictCounts countVerdicts(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                            const NoiseFloor& floor, const PatchStrength& strength) {
  VerdictCounts counts{};
  for (const auto& step : steps)
    ++counts[static_cast<std::size_t>(judge(*step, floor, strength).kind)];
  return counts;
}

VerdictKind worse(VerdictKind a, VerdictKind b) {
  return severity(b) > severity(a) ? b : a;
}

VerdictKind worstVerdict(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                         const PatchStrength& strength) {
  const VerdictCounts counts = countVerdicts(steps, floorOf(steps), strength);
  VerdictKind worst = VerdictKind::Exact;
  for (std::size_t kind = 0; kind < counts.size(); ++kind)
    if (counts[kind] > 0) worst = worse(worst, static_cast<VerdictKind>(kind));
  return worst;
}

}  // namespace equipatch
