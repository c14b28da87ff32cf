#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/run/session.h"
#include "trainer/documents/generator.h"
#include "trainer/evaluation/answer.h"

namespace equipatch {

/// How a model did on some prompts of one kind.
struct Score {
  std::int64_t prompts = 0;
  std::int64_t right = 0;
  std::int64_t ended = 0;
  std::int64_t steps = 0;
  std::int64_t matches = 0;
  std::int64_t rightWithoutContext = 0;

  double share(std::int64_t part) const {
    return prompts > 0 ? static_cast<double>(part) / static_cast<double>(prompts) : 0;
  }
};

/// A prompt and what the model wrote.
struct Sample {
  Document document;
  Answer answer;
};

struct Examination {
  std::map<Skill, Score> skills;    ///< with 8 examples where there are examples
  std::map<int, Score> byExamples;  ///< of invented rules
  std::map<Skill, Sample> samples;  ///< one a skill
  std::vector<Sample> mistakes;     ///< what was answered wrongly, in the order asked
};

struct ExaminationRequest {
  std::int64_t prompts = 200;  ///< of each kind
  int mostExamples = 8;
  std::uint64_t seed = 7;  ///< of the documents; none of them is trained on
};

/// Lets the model answer held-out documents.
/// @throws Error{Cancelled} when `progress` asks to stop.
Examination examine(std::shared_ptr<const Session> session, const WordLists& lists,
                    const ExaminationRequest& request, Progress& progress);

}  // namespace equipatch
