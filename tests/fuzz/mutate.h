// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"

namespace equipatch::fuzz {

// These mutations preserve the input's form. They return an empty text if the input does
// not have this form.

std::string mutateJson(std::string_view input, Random& random);
std::string mutateTensors(std::string_view input, Random& random);
std::string mutateProto(std::string_view input, Random& random);
std::string mutateLines(std::string_view input, Random& random);
std::string mutateSql(std::string_view input, Random& random);

/// Copies a random value of `b` to a random place of `a`. If both are members of objects,
/// the value keeps its name; otherwise it replaces the value at the place. If `a` or `b`
/// is not JSON, returns `a` unchanged.
std::string crossJson(std::string_view a, std::string_view b, Random& random);
/// `a` with one to three lines of `b` inserted.
std::string crossLines(std::string_view a, std::string_view b, Random& random);

/// libFuzzer's own mutations, which use the dictionary.
std::string mutateBytes(std::string_view bytes);

std::vector<std::string> linesOf(std::string_view text);
std::string joinedLines(const std::vector<std::string>& lines);

}  // namespace equipatch::fuzz
