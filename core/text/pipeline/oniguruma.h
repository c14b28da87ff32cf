// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace equipatch {

/// Translates a regular expression from Oniguruma to PCRE2 where the two differ: \s and
/// \w (by Unicode's definitions), \h (a hexadecimal digit) and braces before '+'.
/// @throws Error{Unsupported} for constructs that PCRE2 would silently read otherwise:
/// intersections and classes within classes, intervals followed by '+'.
std::string pcreFromOniguruma(const std::string& pattern);

}  // namespace equipatch
