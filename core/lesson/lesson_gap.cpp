// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_gap.h"

#include <algorithm>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/lesson/lesson_quantities.h"

namespace equipatch {
namespace {

using Relation = LessonCondition::Relation;

/// The text without surrounding white space, shortened and in quotation marks.
std::string quoted(const std::string& text) {
  constexpr std::size_t kEnough = 40;  // bytes
  const std::string words = trimmed(text);
  const std::string_view shown = cutUtf8(words, kEnough);
  return "“" + std::string(shown) + (shown.size() < words.size() ? "…”" : "”");
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

std::string wordsOfText(Relation relation) {
  switch (relation) {
    case Relation::Is:
      return " is ";
    case Relation::IsNot:
      return " is not ";
    default:
      return " contains ";
  }
}

/// Whether a quantity is 1 or 0, for yes or no.
bool isFlag(std::string_view quantity) {
  return quantity == "bare-agrees" || quantity == "tried-match";
}

}  // namespace

std::string gapText(const LessonCondition& condition, const LessonNumber& number,
                    const LessonText& text) {
  const std::string noun(quantityWords(condition.quantity));
  if (noun.empty() || holds(condition, number, text)) return {};
  if (isTextQuantity(condition.quantity)) {
    const auto found = text(condition.quantity);
    if (!found) return {};
    return noun + " is " + quoted(*found) + ", but " + wantedText(condition) +
           " is wanted";
  }
  const auto found = number(condition.quantity);
  if (!found) return {};
  if (isFlag(condition.quantity))
    return noun + (*found == 0.0
                       ? " is not that of the contextual pass, but the same one "
                         "is wanted"
                       : " is that of the contextual pass, but another one is "
                         "wanted");
  const int digits = distinctDigits(*found, condition.number);
  return noun + " is " + shortText(*found, digits) + ", but " +
         wantedNumber(condition.relation, shortText(condition.number, digits)) +
         " is wanted";
}

std::string conditionWords(const LessonCondition& condition) {
  const std::string noun(quantityWords(condition.quantity));
  const Relation relation = condition.relation;
  if (isTextQuantity(condition.quantity))
    return noun + wordsOfText(relation) + quoted(condition.text);
  if (isFlag(condition.quantity)) {
    const bool agrees = holds(
        condition, [](std::string_view) { return 1.0; },
        [](std::string_view) { return std::nullopt; });
    return noun + (agrees ? " is that" : " is not that") + " of the contextual pass";
  }
  const std::string number = typographicTick(condition.number);
  return noun + " is " +
         (relation == Relation::IsNot ? "not " + number : wantedNumber(relation, number));
}

}  // namespace equipatch
