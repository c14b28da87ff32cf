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

const StepRecord* stepAt(const PlacedRun& run, std::int64_t step) {
  return step >= 0 && step < std::ssize(*run.steps)
             ? (*run.steps)[static_cast<std::size_t>(step)].get()
             : nullptr;
}

/// "B is a branch of A: it continues step 24 with “snow” in place of “sun”."
std::string branchSentence(const RunPair& runs) {
  const bool isB = runs.beginsB > runs.beginsA;
  const PlacedRun& branch = isB ? runs.b : runs.a;
  const std::int64_t left = std::max(runs.beginsA, runs.beginsB) - 1;
  const StepRecord* step = isB ? runs.stepOfA(left) : runs.stepOfB(left);
  const RunRequest& request = branch.header->request;
  const Token& chosen = request.prompt.back();
  const std::string text =
      request.promptText.substr(chosen.span.begin, chosen.span.end - chosen.span.begin);
  const std::vector<std::string> tokens = quotedTokens(
      {text.empty() ? chosen.piece : text, step ? continuedText(*step) : std::string()});
  return (isB ? "B is a branch of A" : "A is a branch of B") +
         std::string(": it continues step ") + std::to_string(left) + " with " +
         tokens[0] + (step ? " in place of " + tokens[1] : std::string()) +
         "; steps are counted in those of " + (isB ? "A" : "B") +
         ", and later ones have different contexts.";
}

}  // namespace

bool differs(const StepRecord& a, const StepRecord& b) {
  return a.continued != b.continued || a.match != b.match ||
         a.patchedToken != b.patchedToken;
}

std::int64_t RunPair::end() const {
  return std::max(beginsA + std::ssize(*a.steps), beginsB + std::ssize(*b.steps));
}

const StepRecord* RunPair::stepOfA(std::int64_t step) const {
  return stepAt(a, step - beginsA);
}

const StepRecord* RunPair::stepOfB(std::int64_t step) const {
  return stepAt(b, step - beginsB);
}

bool RunPair::differsAt(std::int64_t step) const {
  const StepRecord *ofA = stepOfA(step), *ofB = stepOfB(step);
  return ofA && ofB && differs(*ofA, *ofB);
}

RunPair pairOf(const PlacedRun& a, const PlacedRun& b) {
  const std::vector<RunPlace> places = placesOf({a, b});
  RunPair pair{.a = a, .b = b};
  if (places[0].root != places[1].root) return pair;
  const std::int64_t least = std::min(places[0].step, places[1].step);
  pair.beginsA = places[0].step - least;
  pair.beginsB = places[1].step - least;
  return pair;
}

RunDifference differenceOf(const RunPair& runs) {
  RunDifference difference{.firstStep = std::max(runs.beginsA, runs.beginsB),
                           .firstDivergentStep = {}};
  if (runs.hasBranch())
    difference.firstDivergentStep = static_cast<std::size_t>(difference.firstStep - 1);
  std::vector<double> ofA, ofB;
  for (std::int64_t step = difference.firstStep; step < runs.end(); ++step) {
    const StepRecord *a = runs.stepOfA(step), *b = runs.stepOfB(step);
    if (!a || !b) break;
    ++difference.commonSteps;
    if (a->match != b->match) ++difference.matchDifferences;
    if (!difference.firstDivergentStep && a->continued != b->continued)
      difference.firstDivergentStep = static_cast<std::size_t>(step);
    ofA.push_back(a->patchedDistance.linf);
    ofB.push_back(b->patchedDistance.linf);
  }
  difference.medianLinfA = quantile(std::move(ofA), 0.5);
  difference.medianLinfB = quantile(std::move(ofB), 0.5);
  return difference;
}

std::string inWords(const RunDifference& difference, const RunPair& runs) {
  std::string text;
  if (runs.hasBranch()) {
    text = branchSentence(runs);
    if (difference.commonSteps == 0) return text + " The runs have no step in common.";
  } else if (difference.commonSteps == 0) {
    return "The runs have no step in common.";
  } else if (difference.firstDivergentStep) {
    const auto at = static_cast<std::int64_t>(*difference.firstDivergentStep);
    const std::vector<std::string> tokens = quotedTokens(
        {continuedText(*runs.stepOfA(at)), continuedText(*runs.stepOfB(at))});
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

std::string medianTitle(const RunDifference& difference) {
  return "Median L∞ of the patched pass over the " +
         countText(difference.commonSteps, "common step");
}

std::string differentOrigins(const RunPair& runs) {
  const RunHeader &a = *runs.a.header, &b = *runs.b.header;
  std::vector<std::string> what;
  if (a.modelName != b.modelName)
    what.emplace_back("models");
  else if (!differentWeights(a.provenance, b.provenance).empty())
    what.emplace_back("weights");
  if (!runs.hasBranch() &&
      (a.request.prompt != b.request.prompt || a.request.images != b.request.images))
    what.emplace_back("prompts");
  return what.empty() ? std::string() : "The " + joined(what, " and ") + " differ.";
}

}  // namespace equipatch
