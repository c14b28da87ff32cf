// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/context_effect.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

// The bundled model's first tokens have probabilities with a geometric mean above kGuess
// after its sample prompts, and below kGuess after prompts of another kind. The first
// token also counts alone: in short answers the last tokens are almost certain and would
// hide a doubtful first one.
constexpr std::size_t kFirstTokens = 4;
constexpr double kGuess = 0.5;
constexpr std::size_t kRepetition = 4;  // equal tokens in a row

/// True for a lead byte of UTF-8 and fewer continuation bytes than it requires.
bool beginsCharacter(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  return bytes.size() < length && std::ranges::all_of(bytes.substr(1), [](char byte) {
           return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
         });
}

void addToken(PassText& pass, const std::string& token) {
  pass.begins.push_back(pass.text.size());
  pass.text += token;
}

struct NamedToken {
  std::string text;  ///< may be empty
  TokenId id;
};

std::vector<std::string> namesOf(const std::vector<NamedToken>& tokens) {
  std::vector<std::string> texts;
  for (const NamedToken& token : tokens) texts.push_back(token.text);
  std::vector<std::string> names = quotedTokens(texts);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].text.empty()) names[i] = "token " + std::to_string(tokens[i].id.value);
  return names;
}

/// True if a kept token comes after an absorbed token and has thus attended to the
/// absorbed token's key and value. The newest token does not count.
bool keptFollowAbsorbed(const StepRecord& step, const AbsorbedSet& absorbed) {
  const auto& kept = absorbed.keptPrompt;
  const std::int64_t newest = step.position.value;
  const std::int64_t generated = step.step.value;  // includes the newest token
  const bool keepsStart = !kept.empty() && kept.front().first == 0;
  const std::int64_t firstAbsorbed = keepsStart ? kept.front().last + 1 : 0;
  const bool ofPrompt = std::ranges::any_of(kept, [&](const PositionRange& range) {
    return range.first > firstAbsorbed && range.first < newest;
  });
  // The prompt's last position is newest - generated.
  const bool absorbsPrompt = firstAbsorbed + generated <= newest;
  return ofPrompt || (absorbed.keepsGenerated && generated > 1 && absorbsPrompt);
}

const std::optional<LogitDistance>& distanceWithoutPart(const StepRecord& step) {
  return step.ablatedDistance ? step.ablatedDistance : step.bareDistance;
}

bool agrees(const StepRecord& step, const Choices& pass,
            const std::optional<LogitDistance>& distance) {
  const bool finite = !distance || std::isfinite(distance->linf);
  return finite && !pass.empty() && !step.contextual.empty() &&
         pass.front().id == step.contextual.front().id;
}

}  // namespace

bool bareAgrees(const StepRecord& step) {
  return agrees(step, step.bare, step.bareDistance);
}

bool ablatedAgrees(const StepRecord& step) {
  return agrees(step, step.ablated, step.ablatedDistance);
}

std::optional<std::size_t> mostContextualStep(const Steps& steps) {
  std::optional<std::size_t> most;
  double largest = -1.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& without = distanceWithoutPart(*steps[i]);
    if (!without || !std::isfinite(without->kl) || without->kl <= largest) continue;
    largest = without->kl;
    most = i;
  }
  return most;
}

std::string absorbedPart(const AbsorbedSet& absorbed) {
  return absorbed.whole() ? "the context" : "the absorbed part";
}

std::string stepSentence(const StepRecord& step, const AbsorbedSet& absorbed) {
  const auto mostLikely = [](const Choices& pass, const NamedToken& chosen) {
    return pass.empty() ? chosen : NamedToken{pass.front().text, pass.front().id};
  };
  const NamedToken chosen{step.tokenText, step.token};
  const NamedToken patched{step.patchedText, step.patchedToken};
  const bool samples = step.sampledMatch.has_value();
  std::vector<NamedToken> tokens{samples ? mostLikely(step.contextual, chosen) : chosen,
                                 mostLikely(step.patched, patched),
                                 mostLikely(step.bare, {}), mostLikely(step.ablated, {})};
  if (samples) tokens.insert(tokens.end(), {chosen, patched});
  const auto names = namesOf(tokens);
  std::string text = (samples ? "Most likely with " : "With ") + absorbedPart(absorbed) +
                     " " + names[0] + "; without it, patched, " + names[1] +
                     (step.bare.empty() ? "" : "; without either " + names[2]) + ".";
  if (!step.ablated.empty())
    text += " In a text without it, " + names[3] + ".";
  else if (bareAgrees(step) && keptFollowAbsorbed(step, absorbed))
    text +=
        " The kept tokens were computed with the absorbed part and may hold some of "
        "it.";
  if (!samples) return text;
  return text + (*step.sampledMatch
                     ? " Both sampled " + names[4] + "."
                     : " Sampled " + names[4] + ", patched " + names[5] + ".");
}

std::string stepSentence(const Steps& steps, std::size_t at,
                         const AbsorbedSet& absorbed) {
  const std::string sentence = stepSentence(*steps[at], absorbed);
  const auto& without = distanceWithoutPart(*steps[at]);
  const bool matters = without && without->kl > 0.0;
  return matters && steps.size() > 1 && mostContextualStep(steps) == at
             ? sentence + " Of all steps, " + absorbedPart(absorbed) +
                   " matters most here, by its KL divergence."
             : sentence;
}

std::string runSentence(const Steps& steps, const AbsorbedSet& absorbed) {
  std::size_t patched = 0;
  std::size_t bare = 0;
  std::size_t controls = 0;
  for (const auto& step : steps) {
    patched += step->match ? 1 : 0;
    bare += bareAgrees(*step) ? 1 : 0;
    controls += step->bare.empty() ? 0 : 1;
  }
  std::string sentence = "Without " + absorbedPart(absorbed) +
                         ", patched, the model has the same most likely token in " +
                         std::to_string(patched) + " of " + std::to_string(steps.size()) +
                         " steps";
  if (controls > 0) sentence += "; without either in " + std::to_string(bare);
  return sentence + ".";
}

std::string agreementSentence(const RunSummary& summary, const AbsorbedSet& absorbed) {
  std::string sentence =
      std::to_string(summary.matches) + " of " + std::to_string(summary.steps) +
      (summary.sampledMatches
           ? " most likely tokens agree, " + std::to_string(*summary.sampledMatches) +
                 " of the sampled ones"
           : " tokens agree");
  const std::string left = shortText(summary.linfMedian, 3);
  sentence += summary.bareLinfMedian > 0.0
                  ? "; without " + absorbedPart(absorbed) + " logits are off by " +
                        shortText(summary.bareLinfMedian, 3) + ", patched by " + left
                  : "; patched logits are off by " + left;
  return sentence + (summary.steps > 1 ? " (medians of L∞)." : " (L∞).");
}

Doubt doubtOf(const Steps& steps, const RunRequest& request, RunEnding ending) {
  if (steps.size() == 1 && request.steps > 1 && ending == RunEnding::Complete)
    return Doubt::Ends;
  double logarithms = 0.0;
  // The first token's log probability, then the mean over the first tokens if smaller.
  double lowest = 0.0;
  std::size_t counted = 0;
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    repeats = i > 0 && steps[i]->continued == steps[i - 1]->continued ? repeats + 1 : 1;
    if (repeats >= kRepetition && !request.ignoreEndOfSequence) return Doubt::Repeats;
    if (i >= kFirstTokens || steps[i]->contextual.empty()) continue;
    logarithms += std::log(steps[i]->contextual.front().probability);
    if (++counted == 1) lowest = logarithms;
  }
  if (counted == 0) return Doubt::None;
  lowest = std::min(lowest, logarithms / static_cast<double>(counted));
  return std::exp(lowest) < kGuess ? Doubt::Guesses : Doubt::None;
}

const std::string& continuedText(const StepRecord& step) {
  const bool isPatched =
      step.continued != step.token && step.continued == step.patchedToken;
  return isPatched ? step.patchedText : step.tokenText;
}

const std::string& continuedBytes(const StepRecord& step) {
  return step.continuedBytes.empty() ? continuedText(step) : step.continuedBytes;
}

bool continueAlike(const StepRecord& a, const StepRecord& b) {
  const bool haveBytes = !a.continuedBytes.empty() && !b.continuedBytes.empty();
  return continuedBytes(a) == continuedBytes(b) &&
         (haveBytes || a.continued == b.continued);
}

PassText continuedText(const Steps& steps) {
  PassText pass;
  for (const auto& step : steps) addToken(pass, continuedBytes(*step));
  return pass;
}

std::string readableText(const Steps& steps, const RunRequest& request,
                         RunEnding ending) {
  const PassText pass = continuedText(steps);
  const bool hasEnded = !steps.empty() && ending == RunEnding::Complete &&
                        static_cast<std::int64_t>(steps.size()) < request.steps;
  return hasEnded ? pass.text.substr(0, pass.begins.back()) : pass.text;
}

namespace {

/// Joins the tokens that a pass chose. A token's bytes are known only if the run
/// continued with this token; otherwise its text is used.
PassText chosenText(const Steps& steps, TokenId StepRecord::*token,
                    std::string StepRecord::*text) {
  PassText pass;
  for (const auto& step : steps) {
    const bool same = step->continued == (*step).*token;
    addToken(pass, same && !step->continuedBytes.empty() ? step->continuedBytes
                                                         : (*step).*text);
  }
  return pass;
}

}  // namespace

PassText contextualText(const Steps& steps) {
  return chosenText(steps, &StepRecord::token, &StepRecord::tokenText);
}

PassText patchedText(const Steps& steps) {
  return chosenText(steps, &StepRecord::patchedToken, &StepRecord::patchedText);
}

std::size_t endOfCharacter(const PassText& pass, std::size_t first) {
  std::size_t whole = pass.begins[first];  // characters before this byte are complete
  for (std::size_t end = first + 1; end <= pass.begins.size(); ++end) {
    const std::size_t last =
        end < pass.begins.size() ? pass.begins[end] : pass.text.size();
    const std::string_view bytes =
        std::string_view(pass.text).substr(whole, last - whole);
    const std::size_t invalid = firstInvalidUtf8(bytes);
    if (invalid == std::string_view::npos) return end;
    if (!beginsCharacter(bytes.substr(invalid))) break;
    whole += invalid;
  }
  return first + 1;
}

RunRequest bareRequest(const RunRequest& run, std::int64_t steps) {
  RunRequest request;
  const auto length = static_cast<std::int64_t>(run.prompt.size());
  std::vector<bool> taken(run.prompt.size());
  for (std::int64_t at = 0; at < length; ++at)
    taken[static_cast<std::size_t>(at)] =
        at == length - 1 || run.absorbed.keeps(at, length);
  // A prompt cannot contain a part of an image.
  for (const PromptImage& image : run.images) {
    const auto first = taken.begin() + image.tokens.first;
    const auto end = taken.begin() + image.tokens.last + 1;
    if (std::find(first, end, false) != end) {
      std::fill(first, end, false);
      continue;
    }
    const std::int64_t before = std::count(taken.begin(), first, true);
    request.images.push_back(
        {image.picture, {before, before + image.tokens.last - image.tokens.first}});
  }
  for (std::size_t at = 0; at < taken.size(); ++at)
    if (taken[at]) request.prompt.push_back(run.prompt[at]);
  // Spans refer to the text of the whole prompt, which the new run lacks.
  for (Token& token : request.prompt) token.span = {};
  request.steps = std::min(run.steps, steps);
  request.sampling = run.sampling;
  request.roundLogits = run.roundLogits;  // may change the most likely token
  request.ignoreEndOfSequence = run.ignoreEndOfSequence;
  request.bare = false;
  return request;
}

}  // namespace equipatch
