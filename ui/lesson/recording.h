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

/// A lesson that is being made.
struct Recording {
  Lesson lesson;
  /// For each step, the conditions from which its author may choose: conditions that held
  /// after the step, including the step's own.
  std::vector<std::vector<LessonCondition>> possible;
  Pictures pictures;  ///< of the prompts that were recorded
  QStringList lost;   ///< what no action of a lesson can express, a sentence each

  void addStep(LessonStep step);
  /// Renumbers the runs in later `listed-run` actions. Drops those that show a run of the
  /// removed step, each with the actions after it that concern this run.
  void removeStep(std::size_t index);
};

}  // namespace equipatch
