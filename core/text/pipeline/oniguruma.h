// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace equipatch {

/// Translates a regular expression from Oniguruma to PCRE2. The two differ in \s and \w
/// (by Unicode's definitions; outside a class \w has ²³¹¼½¾ too), \b and \B (by that \w),
/// \h and \H (hexadecimal digits), \v (U+000B), \Q, \E and \p without a brace (the
/// letters), scripts such as \p{Han} (the property Script), POSIX brackets such as
/// [:alpha:], {,n} (from 0 times) and the option m (a dot matches line ends). One
/// known difference remains: with the option i, Oniguruma also matches one character by
/// several, such as "ß" by "ss".
/// @throws Error{Unsupported} for constructs that PCRE2 would silently read differently:
/// \X, intersections and classes within classes, \W, \H, [:graph:], [:print:],
/// [:^alnum:], [:^blank:] and [:^word:] in a class, intervals followed by '+', {n}
/// followed by '?'; also for \G, because Regex searches a text in several calls.
std::string pcreFromOniguruma(const std::string& pattern);

}  // namespace equipatch
