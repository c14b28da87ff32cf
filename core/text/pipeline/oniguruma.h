// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace equipatch {

/// Translates a regular expression from Oniguruma to PCRE2. The two differ in \s and \w
/// (by Unicode's definitions), \h (a hexadecimal digit) and scripts such as \p{Han} (the
/// property Script).
/// @throws Error{Unsupported} for constructs that PCRE2 would silently read differently:
/// intersections and classes within classes, intervals followed by '+'.
std::string pcreFromOniguruma(const std::string& pattern);

}  // namespace equipatch
