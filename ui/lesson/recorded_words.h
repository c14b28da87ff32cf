// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/record/lab_result.h"
#include "ui/run/run_model.h"

namespace equipatch {

// The first words of recorded steps, which their author edits, and what is lit up.

LessonStep wordsOfRun(const RunHeader& run, const RunModel& steps);
/// @param run the step of the grid's last run
LessonStep wordsOfGrid(LessonStep run);
/// A step with this action.
LessonStep wordsOfView(LessonAction action, std::vector<LessonPart> lit);
LessonStep wordsOfLab(const LabResult& result);
/// Of settings that no run followed.
LessonStep wordsOfSettings();

/// "0.5" of 50 percent.
std::string strengthWord(int percent);

/// The conditions that a recorded step expects unless its author says otherwise: counts
/// and tokens, not magnitudes, which differ between processors.
std::vector<LessonCondition> usualOf(const std::vector<LessonCondition>& conditions);

}  // namespace equipatch
