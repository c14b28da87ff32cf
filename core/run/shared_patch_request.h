#pragma once

#include <cstdint>
#include <vector>

#include "core/patch/patch_options.h"
#include "core/text/token.h"

namespace equipatch {

/// Which tokens one patch shall serve.
struct SharedPatchRequest {
  std::vector<Token> prompt;
  /// Positions, both included. Everything before `first` is absorbed; the tokens see each
  /// other. Beyond the prompt they are those the model generates greedily.
  std::int64_t first = 0;
  std::int64_t last = 0;
  Application application = Application::Factored;
};

}  // namespace equipatch
