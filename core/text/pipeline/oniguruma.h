#pragma once

#include <string>

namespace equipatch {

/// The same regular expression in the syntax of PCRE2, where the two differ in meaning:
/// \s and \w (by Unicode's definitions), \h (a hexadecimal digit) and braces before '+'.
/// @throws Error{Unsupported} for what PCRE2 would silently read otherwise: intersections
///         and classes within classes, intervals followed by '+'.
std::string pcreFromOniguruma(const std::string& pattern);

}  // namespace equipatch
