// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

#include "core/lesson/lesson.h"

namespace equipatch {

/// Reads a lesson (docs/lessons.md). The text may come from a stranger: its size, steps
/// and lines are bounded, and its actions are those of LessonVerb.
/// @throws Error{BadInput} that says what is wrong, and in which line unless it is the
///         whole: no title, no steps, too many bytes, not UTF-8.
Lesson readLesson(std::string_view text);

/// Reads a lesson from a file; errors name the file.
/// @throws Error as above, Error{BadInput} for what is not a file, Error{Resource} when
///         the file cannot be read.
Lesson readLessonFile(const std::filesystem::path& file);

}  // namespace equipatch
