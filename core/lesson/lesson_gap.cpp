// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_gap.h"

#include <algorithm>

#include "core/base/number_format.h"

namespace equipatch {
namespace {

using Relation = LessonCondition::Relation;

struct Words {
  std::string_view quantity;
  std::string_view noun;
};

constexpr Words kWords[] = {
    {"steps", "the number of generated tokens"},
    {"matches", "the number of tokens that agree"},
    {"mismatches", "the number of tokens with a ✗"},
    {"worth", "what the context is worth"},
    {"left", "what the patch leaves"},
    {"prompt-tokens", "the number of tokens of the prompt"},
    {"kept", "the number of kept tokens"},
    {"images", "the number of images in the prompt"},
    {"answer", "the answer"},
    {"method", "the method"},
    {"loop", "the loop"},
    {"dtype", "the dtype"},
    {"step", "the selected step"},
    {"layer", "the selected layer"},
    {"linf", "L∞ of the patched pass"},
    {"bare-linf", "L∞ of the bare pass"},
    {"bare-agrees", "the token of the bare pass"},
    {"margin", "the margin"},
    {"probability", "the probability of the token"},
    {"first-layer", "‖ΔW‖ of the first matrix"},
    {"hidden-error", "the largest error of a layer"},
    {"token", "the token of the contextual pass"},
    {"patched", "the token of the patched pass"},
    {"bare", "the token of the bare pass"},
    {"alpha", "the strength α"},
    {"layers-on", "the number of patched layers"},
    {"tried-linf", "L∞ at this strength"},
    {"tried-match", "the token at this strength"},
    {"hand-difference", "the difference of the two sums"},
    {"hand-error", "the difference that the patch leaves"},
    {"map-cells", "the number of cells of the map"},
    {"map-nothing", "TVD without the image"},
    {"map-nearest", "TVD with the nearest cell"},
    {"map-cell", "the nearest cell"},
    {"runs", "the number of runs in the list"},
    {"lab-curves", "the number of curves in the lab"},
    {"prompt", "the prompt"},
};

const Words* wordsOf(std::string_view quantity) {
  const auto found = std::ranges::find(kWords, quantity, &Words::quantity);
  return found == std::end(kWords) ? nullptr : found;
}

/// Without the spaces around it.
std::string quoted(std::string text) {
  constexpr std::size_t kEnough = 40;
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  text.erase(text.find_last_not_of(' ') + 1);
  if (text.size() <= kEnough) return "“" + text + "”";
  std::size_t end = kEnough;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return "“" + text.substr(0, end) + "…”";
}

std::string wantedNumber(Relation relation, const std::string& number) {
  switch (relation) {
    case Relation::Below:
      return "less than " + number;
    case Relation::AtMost:
      return "at most " + number;
    case Relation::Above:
      return "more than " + number;
    case Relation::AtLeast:
      return "at least " + number;
    case Relation::IsNot:
      return "another number";
    default:
      return number;
  }
}

std::string wantedText(const LessonCondition& condition) {
  switch (condition.relation) {
    case Relation::Is:
      return quoted(condition.text);
    case Relation::IsNot:
      return "another one";
    default:
      return "a text with " + quoted(condition.text);
  }
}

/// Whether a quantity is 1 or 0, for yes or no.
bool isFlag(std::string_view quantity) {
  return quantity == "bare-agrees" || quantity == "tried-match";
}

}  // namespace

std::string_view quantityWords(std::string_view quantity) {
  const Words* words = wordsOf(quantity);
  return words ? words->noun : std::string_view();
}

std::string gapText(const LessonCondition& condition, const LessonNumber& number,
                    const LessonText& text) {
  const Words* words = wordsOf(condition.quantity);
  if (!words || holds(condition, number, text)) return {};
  const std::string noun(words->noun);
  if (isTextQuantity(condition.quantity)) {
    const auto found = text(condition.quantity);
    if (!found) return {};
    return noun + " is " + quoted(*found) + ", but " + wantedText(condition) +
           " is wanted";
  }
  const auto found = number(condition.quantity);
  if (!found) return {};
  if (isFlag(condition.quantity))
    return noun + (*found == 0.0 ? " is not that of the contextual pass, but it should be"
                                 : " is that of the contextual pass, but another one is "
                                   "wanted");
  const int digits = distinctDigits(*found, condition.number);
  return noun + " is " + shortText(*found, digits) + ", but " +
         wantedNumber(condition.relation, shortText(condition.number, digits)) +
         " is wanted";
}

}  // namespace equipatch
