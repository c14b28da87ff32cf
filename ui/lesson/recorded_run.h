// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/record/run_record.h"
#include "core/run/session.h"
#include "ui/prompt/prompt_editor.h"

namespace equipatch {

/// The settings of a run as actions of a lesson.
struct RecordedRun {
  std::vector<LessonAction> actions;
  Pictures pictures;  ///< the files that the `picture` actions name (`lessonPictureName`)
  QStringList lost;   ///< the settings that no action can express, a sentence each
};

/// @param steps for the lesson's run, clamped to 1…64
RecordedRun recordedRun(const RunHeader& run, std::int64_t steps);
/// The settings in the window's panels.
RecordedRun recordedSettings(const SessionRequest& model, const RunRequest& run,
                             const PromptEditor& prompt);

/// The picture's file name in the lesson's folder. Depends only on content and suffix.
QString lessonPictureName(const PictureFile& picture);

}  // namespace equipatch
