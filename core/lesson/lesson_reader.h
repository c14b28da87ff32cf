// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

#include "core/lesson/lesson.h"

namespace equipatch {

/// Reads a lesson (docs/lessons.md). The text may come from a stranger: its size, steps
/// and lines are bounded, and its actions are those of LessonVerb.
/// @throws Error{BadInput} naming the line, what was expected and what was found.
Lesson readLesson(std::string_view text);

/// The same of a file; the error names it. @throws Error{Resource} when it is not
/// readable.
Lesson readLessonFile(const std::filesystem::path& file);

}  // namespace equipatch
