// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/record/lab_result.h"
#include "ui/run/run_model.h"

namespace equipatch {

// The initial texts of recorded steps, which the author edits, and the parts they light
// up.

/// @param ending how the run, which is on display, ended
LessonStep wordsOfRun(const RunHeader& run, const RunModel& steps, RunEnding ending);
/// The step of a grid. @param run the step of the grid's last run
LessonStep wordsOfGrid(LessonStep run);
/// A step with this action, which changes the view: a selection, the strength, the
/// layers, a tab, a listed run, an image map, a table or a chart.
LessonStep wordsOfView(LessonAction action, std::vector<LessonPart> lit);
LessonStep wordsOfLab(const LabResult& result);
/// A step for settings that no run followed.
LessonStep wordsOfSettings();

/// "0.5" for 50 percent.
std::string strengthWord(int percent);

/// The conditions that a recorded step expects unless its author says otherwise: counts
/// and what is selected, not tokens and magnitudes, which may differ between processors.
std::vector<LessonCondition> usualOf(const std::vector<LessonCondition>& conditions);

}  // namespace equipatch
