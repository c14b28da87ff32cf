// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/record/run_request.h"

namespace equipatch {

// Names of the absorbed part for people. "absorbs X" means that X and nothing else is
// absorbed. "keeps X" means that everything but X is absorbed, generated tokens too.

/// The name by the words of the prompt, shortened in the middle: "absorbs all", "absorbs
/// the prompt", "absorbs “The sun … sea.”", "keeps BOS", "keeps “for”". If the prompt was
/// given as ids, the name has positions instead.
/// @param most the largest number of bytes of the words, at least 4, without the " … "
std::string absorbedWords(const RunRequest& request, std::size_t most = 28);

/// The name by positions: "absorbs tokens 23–36", "keeps BOS".
std::string absorbedPositions(const RunRequest& request);

/// A key that is equal for runs that absorb the same part, of one prompt or of several.
/// The same part is one that every prompt has ("absorbs all"), or the same words at the
/// same occurrence. Positions are compared in place of words if the prompts were given as
/// ids, or if searching a long prompt for many parts would take seconds.
std::string absorbedKey(const RunRequest& request);

}  // namespace equipatch
