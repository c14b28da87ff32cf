// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_quantities.h"

#include <algorithm>

namespace equipatch {

const LessonQuantity* quantityNamed(std::string_view name) {
  const auto found = std::ranges::find(kLessonQuantities, name, &LessonQuantity::name);
  return found == std::end(kLessonQuantities) ? nullptr : found;
}

bool isTextQuantity(std::string_view name) {
  const LessonQuantity* quantity = quantityNamed(name);
  return quantity && quantity->isText;
}

std::optional<LessonPart> partThatShows(std::string_view name) {
  const LessonQuantity* quantity = quantityNamed(name);
  return quantity ? quantity->part : std::nullopt;
}

std::string_view quantityWords(std::string_view name) {
  const LessonQuantity* quantity = quantityNamed(name);
  return quantity ? quantity->words : std::string_view();
}

}  // namespace equipatch
