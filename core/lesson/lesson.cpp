// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include <algorithm>

#include "core/base/number_format.h"

namespace equipatch {
namespace {

using Relation = LessonCondition::Relation;

bool isTextQuantity(std::string_view name) {
  const auto found = std::ranges::find(kLessonQuantities, name, &LessonQuantity::name);
  return found != std::end(kLessonQuantities) && found->isText;
}

bool compares(double value, Relation relation, double number) {
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

}  // namespace

bool holds(const LessonCondition& condition, const LessonNumber& number,
           const LessonText& text) {
  if (!isTextQuantity(condition.quantity)) {
    const std::optional<double> value = number(condition.quantity);
    return value && compares(*value, condition.relation, condition.number);
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
  constexpr const char* kSigns[] = {"<", "<=", ">", ">=", "is", "is-not", "contains"};
  return condition.quantity + " " + kSigns[static_cast<int>(condition.relation)] + " " +
         (isTextQuantity(condition.quantity) ? condition.text
                                             : shortText(condition.number, 6));
}

}  // namespace equipatch
