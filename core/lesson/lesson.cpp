// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/number_format.h"
#include "core/lesson/lesson_words.h"

namespace equipatch {
namespace {

using Relation = LessonCondition::Relation;

bool relationHolds(double value, Relation relation, double number) {
  switch (relation) {
    case Relation::Below:
      return value < number;
    case Relation::AtMost:
      return value <= number;
    case Relation::Above:
      return value > number;
    case Relation::AtLeast:
      return value >= number;
    case Relation::Is:
      return value == number;
    case Relation::IsNot:
      return value != number;
    case Relation::Contains:
      return false;  // only texts contain; the reader refuses it for numbers
  }
  return false;
}

constexpr std::array<std::string_view, 8> kOfStep{"token",       "patched",    "bare",
                                                  "bare-agrees", "linf",       "margin",
                                                  "bare-linf",   "probability"};

/// The part that shows a quantity which the reader changes while answering; none for
/// other quantities.
std::optional<LessonPart> partThatShows(std::string_view quantity) {
  constexpr std::array<std::string_view, 4> kOfRun{"answer", "steps", "matches",
                                                   "mismatches"};
  constexpr std::array<std::string_view, 4> kOfSlider{"alpha", "layers-on", "tried-linf",
                                                      "tried-match"};
  if (std::ranges::find(kOfRun, quantity) != kOfRun.end()) return LessonPart::Tokens;
  if (isOfStep(quantity)) return LessonPart::Step;
  if (std::ranges::find(kOfSlider, quantity) != kOfSlider.end())
    return LessonPart::Strength;
  return std::nullopt;
}

}  // namespace

bool isOfStep(std::string_view quantity) {
  return std::ranges::find(kOfStep, quantity) != kOfStep.end();
}

std::vector<LessonPart> partsOf(const LessonStep& step) {
  std::vector<LessonPart> parts = step.lit;
  if (!step.question) return parts;
  for (const LessonCondition& condition : step.question->conditions) {
    const auto part = partThatShows(condition.quantity);
    if (part && std::ranges::find(parts, *part) == parts.end()) parts.push_back(*part);
  }
  return parts;
}

void makeQuestion(LessonStep& step) {
  step.question = LessonQuestion{.hint = {},
                                 .conditions = std::exchange(step.expected, {}),
                                 .solution = std::exchange(step.actions, {})};
}

void makeStatement(LessonStep& step) {
  if (!step.question) return;
  step.actions = std::move(step.question->solution);
  step.expected = std::move(step.question->conditions);
  step.question.reset();
}

bool holds(const LessonCondition& condition, const LessonNumber& number,
           const LessonText& text) {
  if (!isTextQuantity(condition.quantity)) {
    const std::optional<double> value = number(condition.quantity);
    return value && relationHolds(*value, condition.relation, condition.number);
  }
  const std::optional<std::string> value = text(condition.quantity);
  if (!value) return false;
  switch (condition.relation) {
    case Relation::Is:
      return *value == condition.text;
    case Relation::IsNot:
      return *value != condition.text;
    default:
      return value->find(condition.text) != std::string::npos;
  }
}

std::string conditionText(const LessonCondition& condition) {
  const std::string sign(lessonWord(kLessonRelations, condition.relation));
  return condition.quantity + " " + sign + " " +
         (isTextQuantity(condition.quantity) ? condition.text
                                             : shortText(condition.number, 6));
}

}  // namespace equipatch
