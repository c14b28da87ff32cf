// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/record/run_record.h"
#include "core/run/session.h"
#include "ui/prompt/prompt_editor.h"

namespace equipatch {

/// What the window needs for a run, in the actions of a lesson, as far as these can say
/// it.
struct RecordedRun {
  std::vector<LessonAction> actions;
  Pictures pictures;  ///< that the actions `picture` name by `lessonPictureName`
  QStringList lost;   ///< a sentence for each setting that no action can say
};

/// @param steps that the lesson's run should take
RecordedRun recordedRun(const RunHeader& run, std::int64_t steps);
/// The settings in the window's panels, of which no run was made.
RecordedRun recordedSettings(const SessionRequest& model, const RunRequest& run,
                             const PromptEditor& prompt);

/// The name of a picture's file beside a lesson: the same for the same content.
QString lessonPictureName(const PictureFile& picture);

}  // namespace equipatch
