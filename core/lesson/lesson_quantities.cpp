// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_quantities.h"

#include <algorithm>

namespace equipatch {

bool isTextQuantity(std::string_view name) {
  const auto found = std::ranges::find(kLessonQuantities, name, &LessonQuantity::name);
  return found != std::end(kLessonQuantities) && found->isText;
}

std::string_view quantityWords(std::string_view quantity) {
  const auto found =
      std::ranges::find(kLessonQuantities, quantity, &LessonQuantity::name);
  return found == std::end(kLessonQuantities) ? std::string_view() : found->words;
}

}  // namespace equipatch
