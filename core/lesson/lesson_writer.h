// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/lesson/lesson_reader.h"

namespace equipatch {

/// The text of a lesson's file. With the same limits, `readLesson` reads an equal lesson
/// from this text.
/// @throws Error{BadInput} if there is no such text, for example because the lesson has
/// no
///         title, a title or hint has several lines, a limit is exceeded, or a step's
///         text does not have the form that `lessonMarkdown` returns.
std::string writeLesson(const Lesson& lesson, const LessonLimits& limits = kLessonLimits);

/// One text for each excess over a limit: "the lesson has 75 pages, 15 more than the 60
/// allowed".
std::vector<std::string> excessOf(const Lesson& lesson, const LessonLimits& limits);
/// Joins the first five texts of `excessOf` and says how many more there are.
std::string excessText(std::vector<std::string> excess);

/// Turns typed text into a step's text or a summary. Removes blank lines at the
/// beginning, white space at the end, NUL and carriage returns. Writes U+FFFD for invalid
/// UTF-8, and a backslash before lines that would begin a title, a step or a block. The
/// result is empty or ends with a line break.
std::string lessonMarkdown(std::string_view typed);

}  // namespace equipatch
