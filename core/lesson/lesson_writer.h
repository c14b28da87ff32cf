// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/lesson/lesson_reader.h"

namespace equipatch {

/// The text of a lesson's file. With the same limits, `readLesson` reads an equal lesson
/// from it.
/// @throws Error{BadInput} if a file cannot hold the lesson: `readLesson` would refuse
///         the file, a title or hint has several lines or spaces around it, or a text
///         does not have the form that `lessonMarkdown` returns.
std::string writeLesson(const Lesson& lesson, const LessonLimits& limits = kLessonLimits);

/// For each limit that the lesson's file exceeds, says by how much: "the lesson has 75
/// pages, 15 more than the 60 allowed".
std::vector<std::string> excessOf(const Lesson& lesson, const LessonLimits& limits);
/// Joins the first few of these for a message and adds how many more there are.
std::string excessText(std::vector<std::string> excess);

/// Turns what somebody typed into the text of a step or into a summary. Removes blank
/// lines before it, white space after it, NUL and carriage returns; writes U+FFFD for
/// invalid UTF-8, and a backslash before lines that would begin a title, a step or a
/// block. The result ends with a line break unless it is empty.
std::string lessonMarkdown(std::string_view typed);

}  // namespace equipatch
