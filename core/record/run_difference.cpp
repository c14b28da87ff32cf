// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_difference.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "core/record/quantile.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

/// The text of the token that the run continued with.
const std::string& continuedText(const StepRecord& step) {
  const bool isPatched =
      step.continued != step.token && step.continued == step.patchedToken;
  return isPatched ? step.patchedText : step.tokenText;
}

double medianLinf(const Steps& steps, std::size_t count) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < count; ++i)
    distances.push_back(steps[i]->patchedDistance.linf);
  return quantile(std::move(distances), 0.5);
}

}  // namespace

bool differs(const StepRecord& a, const StepRecord& b) {
  return a.continued != b.continued || a.match != b.match ||
         a.patchedToken != b.patchedToken;
}

RunDifference differenceOf(const Steps& a, const Steps& b) {
  RunDifference difference{.commonSteps = std::min(a.size(), b.size()),
                           .firstDivergentStep = {}};
  for (std::size_t i = 0; i < difference.commonSteps; ++i) {
    if (a[i]->match != b[i]->match) ++difference.matchDifferences;
    if (!difference.firstDivergentStep && a[i]->continued != b[i]->continued)
      difference.firstDivergentStep = i;
  }
  difference.medianLinfA = medianLinf(a, difference.commonSteps);
  difference.medianLinfB = medianLinf(b, difference.commonSteps);
  return difference;
}

std::string inWords(const RunDifference& difference, const Steps& a, const Steps& b) {
  if (difference.commonSteps == 0) return "The runs have no step in common.";
  std::string text;
  if (difference.firstDivergentStep) {
    const std::size_t at = *difference.firstDivergentStep;
    const std::vector<std::string> tokens =
        quotedTokens({continuedText(*a[at]), continuedText(*b[at])});
    text = "The runs diverge at step " + std::to_string(at) + ", " + tokens[0] +
           " against " + tokens[1] + "; later steps have different contexts.";
  } else {
    text = "Both runs choose the same tokens in all " +
           countText(difference.commonSteps, "step") + " that they share.";
  }
  if (difference.matchDifferences > 0)
    text += " In " + countText(difference.matchDifferences, "step") +
            " the patched pass agrees in one run only.";
  return text;
}

std::string differentOrigins(const RunHeader& a, const RunHeader& b) {
  std::vector<std::string> what;
  if (a.modelName != b.modelName)
    what.emplace_back("models");
  else if (!differentWeights(a.provenance, b.provenance).empty())
    what.emplace_back("weights");
  if (a.request.prompt != b.request.prompt || a.request.images != b.request.images)
    what.emplace_back("prompts");
  return what.empty() ? std::string() : "The " + joined(what, " and ") + " differ.";
}

}  // namespace equipatch
