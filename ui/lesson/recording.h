// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstddef>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/run/prompt_images.h"

namespace equipatch {

/// Whether the action concerns the run that is on display when the action begins.
bool isOfShownRun(LessonVerb verb);

/// A lesson that is being made, and the conditions that its author may choose from.
struct Recording {
  Lesson lesson;
  /// For each step, conditions that held after it, including those of the step itself.
  std::vector<std::vector<LessonCondition>> possible;
  Pictures pictures;  ///< of the prompts that were recorded
  QStringList lost;   ///< what no action of a lesson can express, a sentence each

  void addStep(LessonStep step);
  /// Removes a step. Later steps still show the same runs, under new numbers if needed.
  /// Their actions that show a run of the removed step are dropped, together with the
  /// actions that concern that run.
  void removeStep(std::size_t index);
};

}  // namespace equipatch
