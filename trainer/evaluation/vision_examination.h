// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/session.h"
#include "trainer/evaluation/examination.h"
#include "trainer/scenes/questions.h"

namespace equipatch {

/// A prompt with the scene's image and the question.
/// @throws Error{BadInput} if the model has no vision tower.
PreparedPrompt promptOf(const Question& question, const Scene& scene,
                        const Session& session);

/// A model's answers to questions of one kind.
struct KindScore {
  Score score;  ///< `rightWithoutContext`: right answers without the image
  /// The correct answers, and how often each occurs.
  std::map<std::string, std::int64_t> answers;

  /// Share of the questions whose correct answer is the most frequent one.
  double mostFrequentShare() const;
};

struct VisionMistake {
  /// SceneGenerator(Split::HeldOut, request.seed).scene(scene) gives the scene.
  std::uint64_t scene = 0;
  Question question;
  std::string written;  ///< the model's answer
};

struct VisionExamination {
  std::map<QuestionKind, KindScore> kinds;
  std::vector<VisionMistake> mistakes;

  /// Over all kinds.
  Score total() const;
};

/// Asks `request.prompts` questions of each kind about held-out scenes. Ignores
/// `request.mostExamples`.
/// @throws Error{Cancelled} when `progress` requests a stop; Error as `promptOf` and
/// `answer`.
VisionExamination examineVision(std::shared_ptr<const Session> session,
                                const ExaminationRequest& request, Progress& progress);

/// A table in Markdown.
std::string reportOf(const VisionExamination& examination);

}  // namespace equipatch
