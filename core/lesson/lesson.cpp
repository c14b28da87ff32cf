// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include <algorithm>
#include <initializer_list>
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
      return false;  // only for texts; the reader refuses it for numbers
  }
  return false;
}

}  // namespace

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
  const auto does = [&step](std::initializer_list<LessonVerb> verbs) {
    return std::ranges::any_of(step.question->solution, [&](const LessonAction& action) {
      return std::ranges::find(verbs, action.verb) != verbs.end();
    });
  };
  const auto isSelection = [](const LessonCondition& condition) {
    return condition.quantity == "step" || condition.quantity == "layer";
  };
  if (does({LessonVerb::Run, LessonVerb::Grid}))
    std::erase_if(step.question->conditions, isSelection);
  if (!does({LessonVerb::Prompt, LessonVerb::Sample, LessonVerb::Picture,
             LessonVerb::Absorb}))
    return;
  step.lit = {LessonPart::Prompt};
  if (does({LessonVerb::Run, LessonVerb::Grid}))
    step.lit.push_back(LessonPart::Transport);
}

void makeStatement(LessonStep& step) {
  if (!step.question) return;
  // A question that was written by hand may have actions that set up the window.
  step.actions.insert(step.actions.end(), step.question->solution.begin(),
                      step.question->solution.end());
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
    case Relation::Contains:
      return value->find(condition.text) != std::string::npos;
    default:
      return false;  // texts have no order; the reader refuses the relation for them
  }
}

std::string actionText(const LessonAction& action) {
  const std::string verb(lessonWord(kLessonVerbs, action.verb));
  return action.argument.empty() ? verb : verb + " " + escapedLine(action.argument);
}

std::string conditionText(const LessonCondition& condition) {
  const std::string sign(lessonWord(kLessonRelations, condition.relation));
  return condition.quantity + " " + sign + " " +
         (isTextQuantity(condition.quantity) ? escapedLine(condition.text)
                                             : exactText(condition.number));
}

}  // namespace equipatch
