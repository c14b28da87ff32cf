// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstddef>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/run/prompt_images.h"

namespace equipatch {

/// A lesson that is being made, and the conditions that its author may choose from.
struct Recording {
  Lesson lesson;
  /// For each step, conditions that held after it; the lesson's own are among them.
  std::vector<std::vector<LessonCondition>> possible;
  Pictures pictures;  ///< of the prompts that were recorded
  QStringList lost;   ///< what no action of a lesson can express, a sentence each

  void addStep(LessonStep step);
  /// Later steps still show the same runs, whose numbers may change. Their actions that
  /// show a run of the removed step are dropped, with those that rely on it.
  void removeStep(std::size_t index);
};

}  // namespace equipatch
