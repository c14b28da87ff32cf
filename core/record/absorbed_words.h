// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/record/run_request.h"

namespace equipatch {

// Names of the absorbed part, shown to users. "absorbs X" means that X and nothing else
// is absorbed. "keeps X" means that everything but X is absorbed, generated tokens too.

/// The name by the words of the prompt, shortened in the middle: "absorbs all", "keeps
/// BOS", "absorbs “The sun … sea.”". The name has positions if the prompt was given as
/// ids or the part consists of spaces.
/// @param most the largest size of the words in bytes, at least 4; a " … " in place of
/// their middle does not count
std::string absorbedWords(const RunRequest& request, std::size_t most = 28);

/// The name by positions: "absorbs tokens 23–36", "keeps BOS".
std::string absorbedPositions(const RunRequest& request);

/// A key that is equal for runs that absorb the same part, even of different prompts: a
/// part that every prompt has ("absorbs all"), or the same words at the same occurrence
/// (first, second, …). The key has positions in place of words if the prompt was given as
/// ids, or if searching a long prompt for many parts would take seconds.
std::string absorbedKey(const RunRequest& request);

}  // namespace equipatch
