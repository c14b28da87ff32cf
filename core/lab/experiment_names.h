#pragma once

#include <array>

namespace equipatch {

/// What `experiments` holds, in its order, for those who have not loaded the backend.
inline constexpr std::array<const char*, 9> kExperimentNames{
    "theorem",       "convergence", "fine-tuning", "stack", "rnn",
    "factorisation", "positions",   "categorical", "words"};

}  // namespace equipatch
