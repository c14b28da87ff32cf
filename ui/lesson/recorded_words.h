// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/record/lab_result.h"
#include "ui/run/run_model.h"

namespace equipatch {

// Initial texts of recorded steps, and the parts of the window that a step highlights.

/// @param steps the model whose header is `run`
LessonStep wordsOfRun(const RunHeader& run, const RunModel& steps, RunEnding ending);
/// Turns the step of a grid's last run into the step of the grid.
LessonStep wordsOfGrid(LessonStep run);
/// @param action Step, Layer, Layers, Strength, ImageMap, Tab, ListedRun, Table or Chart
LessonStep wordsOfView(LessonAction action, std::vector<LessonPart> lit);
LessonStep wordsOfLab(const LabResult& result);
/// A step for settings that the user changed without a run after them.
LessonStep wordsOfSettings();

/// "0.5" for 50 percent.
std::string strengthWord(int percent);

/// Those of the conditions that a recorded step expects by default. Excludes tokens and
/// magnitudes, which may differ between processors.
std::vector<LessonCondition> usualOf(const std::vector<LessonCondition>& conditions);

}  // namespace equipatch
