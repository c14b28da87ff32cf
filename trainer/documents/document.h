#pragma once

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

/// "forecast", "invented rule", …
std::string_view skillName(Skill skill);

/// A text that gives something and answers from it. The model learns the answers only:
/// what is given was drawn at random, so there is nothing in it to be known.
struct Document {
  Skill skill = Skill::Copy;
  std::string text;
  std::vector<ByteSpan> answers;  ///< in order; the last one ends the text
  /// What the last answer must contain, if it may be worded freely; otherwise empty, and
  /// the answer has to be as written.
  std::vector<std::string> mentions;
  /// What was drawn anew for this document and decides the split.
  std::vector<std::string> fresh;
  int examples = 0;  ///< that the last question may be answered from; 0: no such thing

  std::string_view prompt() const {
    return std::string_view(text).substr(0, answers.back().begin);
  }
  std::string_view lastAnswer() const {
    return std::string_view(text).substr(answers.back().begin);
  }

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
