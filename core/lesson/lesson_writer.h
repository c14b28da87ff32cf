// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/lesson.h"

namespace equipatch {

/// A lesson as a file, from which `readLesson` reads an equal one.
/// @throws Error{BadInput} if a file cannot express the lesson: a line is too long, an
///         argument is not one of the verb's, a text is not as `lessonMarkdown` makes it.
std::string writeLesson(const Lesson& lesson);

/// Makes the text of a step or a summary of what somebody typed: without blank lines
/// around it and characters that no text has, and with a backslash before lines that
/// would begin a title, a step or a block.
std::string lessonMarkdown(std::string_view typed);

}  // namespace equipatch
