// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

enum class Skill {
  Forecast,
  Rhyme,
  Story,
  Relation,
  Invented,
  Recall,
  Counting,
  Sum,
  Copy
};
inline constexpr int kSkills = 9;

constexpr std::string_view skillName(Skill skill) {
  constexpr std::array<std::string_view, kSkills> kNames = {
      "forecast", "rhyme",    "story", "known relation", "invented rule",
      "recall",   "counting", "sum",   "copying"};
  return kNames.at(static_cast<std::size_t>(skill));
}

/// A text of questions and answers. Only the tokens of the answers and the final
/// end-of-sequence token enter the loss; the rest is random and cannot be predicted.
struct Document {
  Skill skill = Skill::Copy;
  std::string text;
  std::vector<ByteSpan> answers;  ///< in order; the last one ends the text
  /// Words that a model's answer to the prompt must contain; if empty, the answer must
  /// equal lastAnswer().
  std::vector<std::string> mentions;
  /// The random parts that decide the document's split.
  std::vector<std::string> fresh;

  /// The text before the last answer. Like `lastAnswer`, requires an answer.
  std::string_view prompt() const {
    return std::string_view(text).substr(0, answers.back().begin);
  }
  std::string_view lastAnswer() const {
    return std::string_view(text).substr(answers.back().begin);
  }

  /// Appends text that does not enter the loss.
  Document& give(std::string_view words) {
    text += words;
    return *this;
  }
  Document& answer(std::string_view words) {
    answers.push_back({text.size(), text.size() + words.size()});
    text += words;
    return *this;
  }
};

}  // namespace equipatch
