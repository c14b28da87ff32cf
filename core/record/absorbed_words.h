// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/record/run_request.h"

namespace equipatch {

// The absorbed part for people: "absorbs X" means X and nothing else, "keeps X" that all
// but X is absorbed, generated tokens too.

/// By the words of the prompt, shortened in the middle: "absorbs all", "absorbs the
/// prompt", "absorbs “The sun … sea.”", "keeps BOS", "keeps “for”". A prompt of ids is
/// named by positions.
std::string absorbedWords(const RunRequest& request);

/// By positions, for runs of several prompts: "absorbs tokens 23–36", "keeps BOS".
std::string absorbedPositions(const RunRequest& request);

}  // namespace equipatch
