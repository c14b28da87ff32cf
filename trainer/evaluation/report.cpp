// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/evaluation/report.h"

#include "core/base/error.h"
#include "core/base/number_format.h"

namespace equipatch {
namespace {

constexpr std::string_view kBegin = "<!-- measured: begin -->\n";
constexpr std::string_view kEnd = "<!-- measured: end -->";

std::string percent(double share) {
  return fixedText(100 * share, 1) + " %";
}

std::string row(std::string_view name, const Score& score) {
  const double matched = score.steps > 0 ? static_cast<double>(score.matches) /
                                               static_cast<double>(score.steps)
                                         : 0;
  return "| " + std::string(name) + " | " + percent(score.share(score.right)) + " | " +
         percent(score.share(score.rightWithoutContext)) + " | " +
         percent(score.share(score.ended)) + " | " + percent(matched) + " of " +
         std::to_string(score.steps) + " |\n";
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

}  // namespace

std::string reportOf(const Examination& examination) {
  const std::int64_t prompts = examination.skills.begin()->second.prompts;
  std::string text = "Of " + std::to_string(prompts) + " held-out prompts each:\n\n";
  text += table("skill");
  for (const auto& [skill, score] : examination.skills)
    text += row(skillName(skill), score);
  text += "\nInvented rules by the number of examples in the prompt:\n\n";
  text += table("examples");
  for (const auto& [examples, score] : examination.byExamples)
    text += row(std::to_string(examples), score);
  text += "\nOne prompt of each skill, and in bold what the model writes:\n";
  for (const auto& [skill, sample] : examination.samples)
    text += "\n" +
            asQuotation(std::string(sample.document.prompt()) + " **" +
                        sample.answer.text + "**") +
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
