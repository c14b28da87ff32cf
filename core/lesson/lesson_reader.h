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

/// Reads a lesson from a file; errors name the file.
/// @throws Error as above, and when the file cannot be read.
Lesson readLessonFile(const std::filesystem::path& file);

}  // namespace equipatch
