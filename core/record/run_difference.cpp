// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_difference.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/context_effect.h"
#include "core/record/quantile.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

bool haveEqualPrompts(const RunHeader& a, const RunHeader& b) {
  return std::ranges::equal(a.request.prompt, b.request.prompt, {}, &Token::id,
                            &Token::id);
}

/// The text, or the id as "#30" if the text is empty.
std::string textOrId(const std::string& text, TokenId id) {
  return text.empty() ? "#" + std::to_string(id.value) : text;
}

std::string textOf(const RunRequest& request, std::size_t position) {
  const Token& token = request.prompt[position];
  if (token.span.empty()) return textOrId(textOfPiece(token.piece), token.id);
  return request.promptText.substr(token.span.begin, token.span.end - token.span.begin);
}

/// The first position at which the tokens of two related runs differ. A run's tokens are
/// its prompt, then the tokens that it generated.
struct Divergence {
  std::int64_t step = 0;  ///< the step that chose the tokens at this position
  std::string ofA, ofB;   ///< the tokens' texts; empty where the run ends earlier
};

struct TextToken {
  TokenId id;
  std::string text;  ///< never empty
};

std::optional<TextToken> tokenAt(const RunSide& side, std::size_t position) {
  const RunRequest& request = side.run.header->request;
  if (position < request.prompt.size())
    return TextToken{request.prompt[position].id, textOf(request, position)};
  const auto generated = static_cast<std::int64_t>(position - request.prompt.size());
  const StepRecord* step = side.stepAt(side.begins + generated);
  if (!step) return std::nullopt;
  return TextToken{step->continued, textOrId(continuedText(*step), step->continued)};
}

/// Compares tokens up to the end of the longer prompt. Empty if all of these are equal: a
/// branch may begin with the same token that its parent chose.
std::optional<Divergence> divergenceOf(const RunPair& runs) {
  const RunRequest &a = runs.a.run.header->request, &b = runs.b.run.header->request;
  const std::size_t shorter = std::min(a.prompt.size(), b.prompt.size());
  const std::size_t last = std::max(a.prompt.size(), b.prompt.size()) - 1;
  const std::size_t root =
      a.prompt.size() -
      std::min(static_cast<std::size_t>(runs.a.begins), a.prompt.size());
  for (std::size_t at = std::min(root, shorter); at <= last; ++at) {
    const std::optional<TextToken> ofA = tokenAt(runs.a, at), ofB = tokenAt(runs.b, at);
    if (ofA && ofB && ofA->id == ofB->id) continue;
    return Divergence{.step = static_cast<std::int64_t>(at - root),
                      .ofA = ofA ? ofA->text : std::string(),
                      .ofB = ofB ? ofB->text : std::string()};
  }
  return std::nullopt;
}

/// A branch and its parent, as the branch's file records it.
struct Relation {
  const RunSide &branch, &parent;
  bool isB;  ///< B is the branch
};

/// Empty if neither run's file names the other run as its parent, or if the parent's
/// tokens do not fit the branch's prompt. Accepts a parent that ends before the
/// divergence.
std::optional<Relation> relationOf(const RunPair& runs,
                                   const std::optional<Divergence>& at) {
  const bool isB = isRecordedParent(runs.a.run, *runs.b.run.header);
  if (!isB && !isRecordedParent(runs.b.run, *runs.a.run.header)) return std::nullopt;
  const Relation relation{isB ? runs.b : runs.a, isB ? runs.a : runs.b, isB};
  const bool ended = at && (isB ? at->ofA : at->ofB).empty();
  if (!ended && !branchPoint(*relation.branch.run.header, *relation.parent.run.header,
                             *relation.parent.run.steps))
    return std::nullopt;
  return relation;
}

bool haveOneRecordedParent(const RunPair& runs) {
  const std::string& file = runs.a.run.header->request.branch.file;
  return !file.empty() && file == runs.b.run.header->request.branch.file;
}

std::string branchClause(const Relation& relation) {
  return relation.isB ? "B is a branch of A" : "A is a branch of B";
}

/// Names the run whose step numbers the branch continues.
std::string numberingRun(const Relation& relation) {
  if (relation.parent.begins > 0) return "the run from which both come";
  return relation.isB ? "A" : "B";
}

constexpr const char* kFromPrompt =
    "steps are counted from the end of the prompt that both continue";

std::string tokensClause(const Divergence& at) {
  const std::vector<std::string> tokens = quotedTokens({at.ofA, at.ofB});
  const std::string step = "step " + std::to_string(at.step);
  if (at.ofA.empty() || at.ofB.empty())
    return step + " continues with " + tokens[at.ofA.empty() ? 1 : 0] + " in " +
           (at.ofA.empty() ? "B, and A ends before it" : "A, and B ends before it");
  return step + " continues with " + tokens[0] + " in A and with " + tokens[1] + " in B";
}

/// "B is a branch of A: it continues step 24 with “snow” in place of “sun”."
std::string branchSentence(const Divergence& at, const RunPair& runs) {
  constexpr const char* kLater = ", and later ones have different contexts.";
  if (const std::optional<Relation> relation = relationOf(runs, at)) {
    const std::vector<std::string> tokens = quotedTokens({at.ofA, at.ofB});
    const std::string& replaced = relation->isB ? at.ofA : at.ofB;
    return branchClause(*relation) + ": it continues step " + std::to_string(at.step) +
           " with " + tokens[relation->isB ? 1 : 0] +
           (replaced.empty() ? "" : " in place of " + tokens[relation->isB ? 0 : 1]) +
           "; steps are numbered as in " + numberingRun(*relation) + kLater;
  }
  if (haveOneRecordedParent(runs))
    return "A and B are branches of one run: " + tokensClause(at) + "; " + kFromPrompt +
           kLater;
  return (at.step == 0
              ? "A and B continue the same prompt: "
              : "A and B continue the same prompt with equal tokens before step " +
                    std::to_string(at.step) + ": ") +
         tokensClause(at) + "; " + kFromPrompt + kLater;
}

/// For related runs without a divergence in their prompts.
std::string sameTokenSentence(const RunPair& runs) {
  if (const std::optional<Relation> relation = relationOf(runs, std::nullopt))
    return branchClause(*relation) +
           " that continues with the same token: it begins at step " +
           std::to_string(relation->branch.begins) + ", numbered as in " +
           numberingRun(*relation) + ".";
  const bool isB = runs.b.begins > runs.a.begins;
  const std::int64_t begins = isB ? runs.b.begins : runs.a.begins;
  return "A and B continue the same prompt with equal tokens before step " +
         std::to_string(begins) + ", where " + (isB ? "B" : "A") + " begins; " +
         kFromPrompt + ".";
}

/// Compares contents, because files may have been renamed.
bool haveEqualPictures(const RunRequest& a, const RunRequest& b) {
  const auto content = [](const PromptImage& image) { return image.picture->sha256; };
  return std::ranges::equal(a.images, b.images, {}, content, content);
}

bool haveOnePrompt(const RunHeader& a, const RunHeader& b) {
  if (!haveEqualPictures(a.request, b.request)) return false;
  // Different models may have different tokens for the same text.
  return a.modelName == b.modelName ? haveEqualPrompts(a, b)
                                    : shownPrompt(a.request) == shownPrompt(b.request);
}

/// True if the patched passes chose the same text. Texts that are empty or contain U+FFFD
/// may belong to different parts of characters; then the ids must be equal, too.
bool choosePatchedAlike(const StepRecord& a, const StepRecord& b) {
  const bool isWhole =
      !a.patchedText.empty() && a.patchedText.find("\uFFFD") == std::string::npos;
  return a.patchedText == b.patchedText && (isWhole || a.patchedToken == b.patchedToken);
}

/// Says at which common step the runs diverge, or that they do not. Requires a common
/// step, and no divergence before the common steps.
std::string divergenceSentence(const RunDifference& difference, const RunPair& runs) {
  if (!difference.firstDivergentStep)
    return difference.commonSteps == 1
               ? std::string(
                     "Both runs choose the same token in the step that they share.")
               : "Both runs choose the same tokens in all " +
                     countText(difference.commonSteps, "step") + " that they share.";
  const auto at = static_cast<std::int64_t>(*difference.firstDivergentStep);
  const std::vector<std::string> tokens = quotedTokens(
      {continuedText(*runs.a.stepAt(at)), continuedText(*runs.b.stepAt(at))});
  return "The runs diverge at step " + std::to_string(at) + ", " + tokens[0] +
         " against " + tokens[1] +
         (runs.areRelated || haveOnePrompt(*runs.a.run.header, *runs.b.run.header)
              ? "; later steps have different contexts."
              : "; the contexts of all steps differ.");
}

}  // namespace

bool differs(const StepRecord& a, const StepRecord& b) {
  const bool followPatched =
      a.patchedToken == a.continued && b.patchedToken == b.continued;
  return !continueAlike(a, b) || a.match != b.match ||
         (!followPatched && !choosePatchedAlike(a, b));
}

const StepRecord* RunSide::stepAt(std::int64_t step) const {
  return step >= begins && step < end()
             ? (*run.steps)[static_cast<std::size_t>(step - begins)].get()
             : nullptr;
}

std::string RunSide::inheritedAt(std::int64_t step) const {
  const RunRequest& request = run.header->request;
  const std::int64_t position = std::ssize(request.prompt) - begins + step;
  const bool isInPrompt = step >= 0 && step < begins && position >= 0;
  return isInPrompt ? textOf(request, static_cast<std::size_t>(position)) : std::string();
}

bool RunPair::differsAt(std::int64_t step) const {
  const StepRecord *ofA = a.stepAt(step), *ofB = b.stepAt(step);
  return ofA && ofB && differs(*ofA, *ofB);
}

RunPair pairOf(const PlacedRun& a, const PlacedRun& b) {
  const std::vector<RunPlace> places = placesOf({a, b});
  RunPair pair{.a = {a}, .b = {b}};
  const bool isBranch = places[0].step > 0 || places[1].step > 0;
  if (places[0].root != places[1].root || !isBranch) return pair;
  if (haveEqualPrompts(*a.header, *b.header)) return pair;
  pair.a.begins = places[0].step;
  pair.b.begins = places[1].step;
  pair.areRelated = true;
  return pair;
}

RunDifference differenceOf(const RunPair& runs) {
  RunDifference difference{.firstStep = std::max(runs.a.begins, runs.b.begins),
                           .firstDivergentStep = {}};
  if (const auto at = runs.areRelated ? divergenceOf(runs) : std::nullopt)
    difference.firstDivergentStep = static_cast<std::size_t>(at->step);
  std::vector<double> ofA, ofB, bareA, bareB;
  for (std::int64_t step = difference.firstStep; step < runs.end(); ++step) {
    const StepRecord *a = runs.a.stepAt(step), *b = runs.b.stepAt(step);
    if (!a || !b) break;
    ++difference.commonSteps;
    if (a->match != b->match) ++difference.matchDifferences;
    if (!difference.firstDivergentStep && !continueAlike(*a, *b))
      difference.firstDivergentStep = static_cast<std::size_t>(step);
    ofA.push_back(a->patchedDistance.linf);
    ofB.push_back(b->patchedDistance.linf);
    if (a->bareDistance) bareA.push_back(a->bareDistance->linf);
    if (b->bareDistance) bareB.push_back(b->bareDistance->linf);
  }
  difference.medianLinfA = quantile(std::move(ofA), 0.5);
  difference.medianLinfB = quantile(std::move(ofB), 0.5);
  if (!bareA.empty()) difference.medianBareA = quantile(std::move(bareA), 0.5);
  if (!bareB.empty()) difference.medianBareB = quantile(std::move(bareB), 0.5);
  return difference;
}

std::string inWords(const RunDifference& difference, const RunPair& runs) {
  const auto inPrompts = runs.areRelated ? divergenceOf(runs) : std::nullopt;
  std::string text;
  if (runs.areRelated)
    text = (inPrompts ? branchSentence(*inPrompts, runs) : sameTokenSentence(runs)) + " ";
  if (difference.commonSteps == 0) return text + "The runs have no step in common.";
  if (inPrompts)
    text.pop_back();
  else
    text += divergenceSentence(difference, runs);
  if (difference.matchDifferences > 0)
    text += " In " + countText(difference.matchDifferences, "step") +
            " the patched pass agrees in one run only.";
  return text;
}

std::string medianSentence(const RunDifference& difference) {
  if (difference.commonSteps == 0) return {};
  const auto medians = [](const char* pass, std::optional<double> a,
                          std::optional<double> b) {
    if (!a && !b) return std::string();
    const auto text = [](std::optional<double> median) {
      return median ? typographicText(*median) : std::string("–");
    };
    return pass + std::string(" pass A ") + text(a) + ", B " + text(b);
  };
  const std::string bare =
      medians("bare", difference.medianBareA, difference.medianBareB);
  const std::string common = difference.commonSteps == 1
                                 ? "L∞ of the common step: "
                                 : "Median L∞ over the " +
                                       std::to_string(difference.commonSteps) +
                                       " common steps: ";
  return common + medians("patched", difference.medianLinfA, difference.medianLinfB) +
         (bare.empty() ? "" : "; " + bare) + ".";
}

std::string differentOrigins(const RunPair& runs) {
  const RunHeader &a = *runs.a.run.header, &b = *runs.b.run.header;
  const bool haveOneName = a.modelName == b.modelName;
  const bool haveOneOrigin = differentWeights(a.provenance, b.provenance).empty();
  const bool isRenamed =
      !haveOneName && haveOneOrigin && !a.provenance.configSha256.empty();
  std::vector<std::string> what;
  if (!haveOneName && !isRenamed)
    what.emplace_back("models");
  else if (!haveOneOrigin)
    what.emplace_back("weights");
  if (!runs.areRelated && !haveOnePrompt(a, b)) what.emplace_back("prompts");
  std::string text = what.empty() ? "" : "The " + joined(what, " and ") + " differ.";
  if (isRenamed)
    text += std::string(text.empty() ? "" : " ") + "The models are called " +
            a.modelName + " and " + b.modelName +
            ", but their config.json and tensor headers are equal.";
  return text;
}

}  // namespace equipatch
