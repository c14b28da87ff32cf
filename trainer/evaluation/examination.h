#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/run/session.h"
#include "trainer/documents/document.h"
#include "trainer/documents/generator.h"

namespace equipatch {

/// What a model sees of a prompt.
enum class Sight {
  WholePrompt,
  LastToken,  ///< as the bare pass does
};

struct AnswerLimits {
  Sight sight = Sight::WholePrompt;
  std::int64_t tokens = 64;  ///< at most, when the answer does not end by itself
};

/// Greedily written, token by token with the comparison of contextual and patched pass.
struct Answer {
  std::string text;
  bool ended = false;        ///< by itself
  std::int64_t steps = 0;    ///< compared
  std::int64_t matches = 0;  ///< of the patched pass's tokens with the contextual one's
};

/// @throws Error{BadInput} when the prompt does not fit into the model's positions.
Answer answer(std::shared_ptr<const Session> session, std::string_view prompt,
              const AnswerLimits& limits);

/// Whether what a model wrote behind the document's prompt is right: it contains every
/// thing that must be mentioned, or, where nothing is, says what the document says.
bool isRight(const Document& document, std::string_view answer);

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
