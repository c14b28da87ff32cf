// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/lesson/lesson.h"

namespace equipatch {

/// Says why a condition does not hold: "the margin is 5.3, but less than 0.02 is wanted".
/// Empty if the condition holds, or if the quantity is unknown or has no value.
std::string gapText(const LessonCondition& condition, const LessonNumber& number,
                    const LessonText& text);

/// Puts a condition into words, as a main clause: "the margin is less than 0.02".
std::string conditionWords(const LessonCondition& condition);

}  // namespace equipatch
