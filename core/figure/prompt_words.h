// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace equipatch {

using RunHeaders = std::vector<std::shared_ptr<const RunHeader>>;

/// The text, or its beginning and "…" if it is too long for a legend: cut between words,
/// or between the characters of a long word.
std::string shortenedWords(const std::string& text);

/// True if both have the same text and token ids.
bool haveOnePrompt(const RunRequest& a, const RunRequest& b);

/// The runs' prompts, in short words that differ where the prompts do: “Hello”,
/// “…cat.↵Meow”, “In Paris…a cat”; prompts of ids as "ids 2 651 …". Words are equal if
/// the prompts differ only in characters that look alike, such as control characters.
std::vector<std::string> promptWords(const RunHeaders& headers);

}  // namespace equipatch
