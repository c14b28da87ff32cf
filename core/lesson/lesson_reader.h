// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "core/lesson/lesson.h"

namespace equipatch {

/// Upper bounds for a lesson's file.
struct LessonLimits {
  std::size_t bytes;
  std::size_t steps;
  std::size_t textBytes;   ///< of a step's text or the summary, less a final line break
  std::size_t blockLines;  ///< in all blocks of a step together
  std::size_t lineBytes;   ///< of a line in a block
};

/// The limits of lessons that may come from a stranger. The user's lessons are saved
/// within these limits, so that others can open them.
inline constexpr LessonLimits kLessonLimits{.bytes = 256 * 1024,
                                            .steps = 60,
                                            .textBytes = 6000,
                                            .blockLines = 40,
                                            .lineBytes = 16000};
/// The limits of the user's own drafts. They are higher, because the user can shorten or
/// divide a draft before saving the lesson.
inline constexpr LessonLimits kDraftLimits{.bytes = 64 * 1024 * 1024,
                                           .steps = 10000,
                                           .textBytes = 1024 * 1024,
                                           .blockLines = 10000,
                                           .lineBytes = 16 * 1024 * 1024};

/// Reads a lesson (docs/lessons.md), whose text may come from a stranger.
/// @throws Error{BadInput} that says what is wrong and in which line; errors of the whole
///         text name no line.
Lesson readLesson(std::string_view text, const LessonLimits& limits = kLessonLimits);

/// Reads a lesson from a file; errors name the file.
/// @throws Error as above, Error{BadInput} if `file` is no file, Error{Resource} when
///         the file cannot be read.
Lesson readLessonFile(const std::filesystem::path& file,
                      const LessonLimits& limits = kLessonLimits);

}  // namespace equipatch
