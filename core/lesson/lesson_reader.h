// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "core/lesson/lesson.h"

namespace equipatch {

/// The bounds of a lesson's file.
struct LessonLimits {
  std::size_t bytes;
  std::size_t steps;
  std::size_t textBytes;   ///< of a step's text or the summary, without the last line end
  std::size_t blockLines;  ///< in all blocks of a step
  std::size_t lineBytes;   ///< of a line in a block
};

/// The limits of lessons that may come from a stranger. A lesson that the user saves must
/// observe them, too, so that others can open it.
inline constexpr LessonLimits kLessonLimits{.bytes = 256 * 1024,
                                            .steps = 60,
                                            .textBytes = 6000,
                                            .blockLines = 40,
                                            .lineBytes = 16000};
/// The limits of the user's own lessons while they are written. They are much higher,
/// because a draft can still be shortened or divided before it is saved.
inline constexpr LessonLimits kDraftLimits{.bytes = 64 * 1024 * 1024,
                                           .steps = 10000,
                                           .textBytes = 1024 * 1024,
                                           .blockLines = 10000,
                                           .lineBytes = 16 * 1024 * 1024};

/// Reads a lesson (docs/lessons.md). The text may come from a stranger: its size, steps
/// and lines are bounded, and its actions are those of LessonVerb.
/// @throws Error{BadInput} that says what is wrong and in which line. No line is named
///         for an error of the whole text: no title, no steps, too many bytes, not UTF-8.
Lesson readLesson(std::string_view text, const LessonLimits& limits = kLessonLimits);

/// Reads a lesson from a file; errors name the file.
/// @throws Error as above, Error{BadInput} if `file` is no file, Error{Resource} when
///         the file cannot be read.
Lesson readLessonFile(const std::filesystem::path& file,
                      const LessonLimits& limits = kLessonLimits);

}  // namespace equipatch
