// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/record/run_request.h"

namespace equipatch {

// The absorbed part for people: "absorbs X" means X and nothing else, "keeps X" that all
// but X is absorbed, generated tokens too.

/// By the words of the prompt, shortened in the middle: "absorbs all", "absorbs the
/// prompt", "absorbs “The sun … sea.”", "keeps BOS", "keeps “for”". Parts of a prompt of
/// ids are named by positions.
/// @param most bytes of the words, at least 4; the sign in their middle is not counted
std::string absorbedWords(const RunRequest& request, std::size_t most = 28);

/// By positions: "absorbs tokens 23–36", "keeps BOS".
std::string absorbedPositions(const RunRequest& request);

/// A key that is equal for runs that absorb the same part, of one prompt or of several: a
/// part that every prompt has, or the same words at the same occurrence; in prompts of
/// ids, and for so many parts of a long prompt that searching it for each would take
/// seconds, the same positions.
std::string absorbedKey(const RunRequest& request);

}  // namespace equipatch
