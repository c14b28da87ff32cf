// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"

namespace equipatch::fuzz {

// Mutations that preserve an input's form, so that they pass the first check of its
// reader. Each returns a changed input, or an empty text when the input does not have the
// form.

std::string mutateJson(std::string_view input, Random& random);
std::string mutateTensors(std::string_view input, Random& random);
std::string mutateProto(std::string_view input, Random& random);
std::string mutateLines(std::string_view input, Random& random);
std::string mutateSql(std::string_view input, Random& random);

/// `a` with one value replaced by one of `b`, or with a member of one of b's objects set
/// in one of its own; unchanged if either is not JSON.
std::string crossJson(std::string_view a, std::string_view b, Random& random);
/// A mixture of the lines of both.
std::string crossLines(std::string_view a, std::string_view b, Random& random);

/// libFuzzer's own mutations, which use the dictionary.
std::string mutateBytes(std::string_view bytes);

std::vector<std::string> linesOf(std::string_view text);
std::string joinedLines(const std::vector<std::string>& lines);

}  // namespace equipatch::fuzz
