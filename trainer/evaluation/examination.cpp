// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/evaluation/examination.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/run/backend.h"

namespace equipatch {
namespace {

bool endsSequence(const ModelSpec& spec, TokenId token) {
  return std::ranges::find(spec.endOfSequence, token) != spec.endOfSequence.end();
}

class Examiner {
 public:
  Examiner(std::shared_ptr<const Session> session, const WordLists& lists,
           const ExaminationRequest& request, Progress& progress)
      : m_session(std::move(session)),
        m_generator(lists, Split::HeldOut, request.seed),
        m_request(request),
        m_progress(progress) {}

  Score score(Skill skill, int examples) {
    Score score;
    for (std::int64_t i = 0; i < m_request.prompts; ++i) {
      m_progress.report(static_cast<double>(i) / static_cast<double>(m_request.prompts),
                        "Asking for " + std::string(skillName(skill)));
      m_progress.throwIfStopped();
      add(m_generator.document(skill, static_cast<std::uint64_t>(i), examples), score);
    }
    return score;
  }

  std::vector<Sample> takeMistakes() { return std::move(m_mistakes); }

  Sample sample(Skill skill) const {
    Document document = m_generator.document(skill, 0, m_request.mostExamples);
    Answer written = answer(m_session, document.prompt(), {});
    return {std::move(document), std::move(written)};
  }

 private:
  /// The limit exceeds the length of the document's answer because a model may word its
  /// answer differently.
  std::int64_t tokenLimit(const Document& document) const {
    constexpr std::int64_t kMore = 20;
    const auto own =
        m_session->tokenizer().encode(document.lastAnswer(), SpecialTokens::Omit);
    return static_cast<std::int64_t>(own.size()) + kMore;
  }

  void add(const Document& document, Score& score) {
    const std::int64_t tokens = tokenLimit(document);
    const Answer withContext =
        answer(m_session, document.prompt(), {Sight::WholePrompt, tokens});
    const Answer withoutContext =
        answer(m_session, document.prompt(), {Sight::LastToken, tokens});
    ++score.prompts;
    const bool right = isRight(document, withContext.text);
    score.right += right ? 1 : 0;
    if (!right) m_mistakes.push_back({document, withContext});
    score.ended += withContext.ended ? 1 : 0;
    score.steps += withContext.steps;
    score.matches += withContext.matches;
    score.rightWithoutContext += isRight(document, withoutContext.text) ? 1 : 0;
  }

  std::shared_ptr<const Session> m_session;
  Generator m_generator;
  ExaminationRequest m_request;
  Progress& m_progress;
  std::vector<Sample> m_mistakes;
};

}  // namespace

Answer answer(std::shared_ptr<const Session> session, std::string_view prompt,
              const AnswerLimits& limits) {
  std::vector<Token> tokens = session->tokenizer().encode(prompt, SpecialTokens::Add);
  if (limits.sight == Sight::LastToken) tokens.erase(tokens.begin(), tokens.end() - 1);
  return answer(std::move(session), {.source = {}, .tokens = std::move(tokens)},
                limits.tokens);
}

Answer answer(std::shared_ptr<const Session> session, const PreparedPrompt& prompt,
              std::int64_t tokens) {
  const auto comparison = backend().makeComparison(
      session, requestFor(prompt, {.steps = tokens, .bare = false}));
  SilentProgress silent;
  comparison->prefill(silent);
  Answer result;
  std::vector<TokenId> written;
  while (!comparison->done()) {
    const auto record = comparison->step();
    ++result.steps;
    result.matches += record->match ? 1 : 0;
    result.ended = endsSequence(session->spec(), record->continued);
    if (!result.ended) written.push_back(record->continued);
  }
  result.text = session->tokenizer().decode(written, SpecialTokens::Omit);
  return result;
}

Score& Score::operator+=(const Score& more) {
  prompts += more.prompts;
  right += more.right;
  ended += more.ended;
  steps += more.steps;
  matches += more.matches;
  rightWithoutContext += more.rightWithoutContext;
  return *this;
}

bool isRight(const Document& document, std::string_view answer) {
  if (document.mentions.empty()) return answer == document.lastAnswer();
  return std::ranges::all_of(document.mentions, [&](const std::string& thing) {
    return answer.find(thing) != std::string_view::npos;
  });
}

Examination examine(std::shared_ptr<const Session> session, const WordLists& lists,
                    const ExaminationRequest& request, Progress& progress) {
  Examiner examiner(std::move(session), lists, request, progress);
  Examination result;
  for (int i = 0; i < kSkills; ++i) {
    const auto skill = static_cast<Skill>(i);
    result.skills[skill] = examiner.score(skill, request.mostExamples);
    result.samples[skill] = examiner.sample(skill);
  }
  for (int examples = 1; examples < request.mostExamples; ++examples)
    result.byExamples[examples] = examiner.score(Skill::Invented, examples);
  result.byExamples[request.mostExamples] = result.skills.at(Skill::Invented);
  result.mistakes = examiner.takeMistakes();
  return result;
}

namespace {

constexpr std::string_view kBegin = "<!-- measured: begin -->\n";
constexpr std::string_view kEnd = "<!-- measured: end -->";

std::string percent(double share) {
  return fixedText(100 * share, 1) + " %";
}

std::string row(std::string_view name, const Score& score) {
  return "| " + std::string(name) + " | " + percent(score.share(score.right)) + " | " +
         percent(score.share(score.rightWithoutContext)) + " | " +
         percent(score.share(score.ended)) + " | " + percent(score.matchedShare()) +
         " of " + std::to_string(score.steps) + " |\n";
}

std::string table(std::string_view first) {
  return "| " + std::string(first) +
         " | right | right without context | ends by itself | patched pass agrees |\n"
         "|---|---|---|---|---|\n";
}

std::string asQuotation(std::string_view text) {
  std::string lines = "> ";
  for (const char character : text) {
    lines += character;
    if (character == '\n') lines += "> ";
  }
  return lines;
}

/// Leading white space stays before the asterisks, and trailing white space is dropped,
/// because Markdown does not read asterisks beside white space as bold.
std::string inBold(const std::string& answer) {
  const std::string words = trimmed(answer);
  if (words.empty()) return answer;
  return answer.substr(0, answer.find(words)) + "**" + words + "**";
}

}  // namespace

std::string reportOf(const Examination& examination) {
  const std::int64_t prompts = examination.skills.begin()->second.prompts;
  std::string text =
      "Of " + std::to_string(prompts) + " held-out prompts of each skill:\n\n";
  text += table("skill");
  for (const auto& [skill, score] : examination.skills)
    text += row(skillName(skill), score);
  text += "\nInvented rules by the number of examples in the prompt:\n\n";
  text += table("examples");
  for (const auto& [examples, score] : examination.byExamples)
    text += row(std::to_string(examples), score);
  text += "\nOne prompt of each skill, and in bold what the model writes:\n";
  for (const auto& [skill, sample] : examination.samples)
    text +=
        "\n" +
        asQuotation(std::string(sample.document.prompt()) + inBold(sample.answer.text)) +
        "\n";
  return text;
}

std::string withReport(const std::string& card, const std::string& report) {
  const std::size_t begin = card.find(kBegin);
  const std::size_t end = card.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    throw badInput("the model card should have the lines \"" +
                   std::string(kBegin.substr(0, kBegin.size() - 1)) + "\" and \"" +
                   std::string(kEnd) + "\", between which the results go");
  return card.substr(0, begin + kBegin.size()) + report + card.substr(end);
}

}  // namespace equipatch
