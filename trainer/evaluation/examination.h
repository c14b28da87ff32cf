// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/run/prepared_prompt.h"
#include "core/run/session.h"
#include "trainer/documents/document.h"
#include "trainer/documents/generator.h"

namespace equipatch {

/// The part of a prompt that a model sees.
enum class Sight {
  WholePrompt,
  LastToken,  ///< the last token alone, as in the bare pass
};

struct AnswerLimits {
  Sight sight = Sight::WholePrompt;
  std::int64_t tokens = 64;  ///< at most
};

/// A greedily decoded answer. Each token is a step that compares the contextual with the
/// patched pass.
struct Answer {
  std::string text;
  bool ended = false;        ///< by an end-of-sequence token
  std::int64_t steps = 0;    ///< including the end-of-sequence token's
  std::int64_t matches = 0;  ///< steps in which both passes choose the same token
};

/// @throws Error as `Backend::makeComparison` and `Comparison::step`.
Answer answer(std::shared_ptr<const Session> session, std::string_view prompt,
              const AnswerLimits& limits);

/// Decodes at most `tokens` tokens. The prompt may hold images. @throws as above.
Answer answer(std::shared_ptr<const Session> session, const PreparedPrompt& prompt,
              std::int64_t tokens);

/// True if `answer` contains all of the document's `mentions` or, if there are none,
/// equals the document's last answer.
bool isRight(const Document& document, std::string_view answer);

/// A model's results on prompts of one kind.
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
  double matchedShare() const {
    return steps > 0 ? static_cast<double>(matches) / static_cast<double>(steps) : 0;
  }
  Score& operator+=(const Score& more);
};

struct Sample {
  Document document;
  Answer answer;
};

struct Examination {
  std::map<Skill, Score> skills;    ///< scores with `mostExamples` examples
  std::map<int, Score> byExamples;  ///< scores on invented rules, by number of examples
  std::map<Skill, Sample> samples;
  std::vector<Sample> mistakes;  ///< the wrong answers of all scores, in order
};

struct ExaminationRequest {
  std::int64_t prompts = 200;  ///< of each kind
  int mostExamples = 8;
  std::uint64_t seed = 7;  ///< of the held-out documents
};

/// Evaluates the model on held-out documents.
/// @throws Error{Cancelled} when `progress` requests a stop; Error{BadInput} when a list
/// is missing or too short; Error as `answer`.
Examination examine(std::shared_ptr<const Session> session, const WordLists& lists,
                    const ExaminationRequest& request, Progress& progress);

/// Tables and samples in Markdown.
std::string reportOf(const Examination& examination);

/// `card` with everything between its two marker lines replaced by `report`.
/// @throws Error{BadInput} when the card lacks these lines.
std::string withReport(const std::string& card, const std::string& report);

}  // namespace equipatch
