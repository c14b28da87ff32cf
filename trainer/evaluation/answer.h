#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/run/session.h"

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

}  // namespace equipatch
