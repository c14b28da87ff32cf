// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/lesson.h"

namespace equipatch {

/// A lesson as a file, from which `readLesson` reads an equal one.
/// @throws Error{BadInput} if a file cannot hold the lesson: it exceeds a bound of
///         `readLesson`, lacks a title or steps, has a question without conditions or
///         solution, an argument that is not one of the verb's, a title or hint of
///         several lines or with spaces around it, or a text that is not as
///         `lessonMarkdown` makes it.
std::string writeLesson(const Lesson& lesson);

/// Makes the text of a step or a summary of what somebody typed: without blank lines
/// around it, NUL and carriage returns, with U+FFFD for invalid UTF-8, and with a
/// backslash before lines that would begin a title, a step or a block. It ends with a
/// line break unless it is empty.
std::string lessonMarkdown(std::string_view typed);

}  // namespace equipatch
