// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace equipatch {

/// Translates a regular expression from Oniguruma to PCRE2. The result keeps Oniguruma's
/// meaning of the constructs in which the two differ:
/// - \s and \w: by Unicode's definitions; outside a class, \w also matches ²³¹¼½¾
/// - \b and \B: boundaries by this \w
/// - \h: a hexadecimal digit; \H: any other character
/// - \v: U+000B
/// - \Q, \E, and \p and \P without a brace: these letters
/// - scripts such as \p{Han}: the property Script
/// - POSIX brackets such as [:alpha:]
/// - {,n}: from 0 to n times
/// - the option m: a dot matches line ends
///
/// One known difference remains: with the option i, Oniguruma also matches one character
/// by several, such as "ß" by "ss".
/// @throws Error{Unsupported} for constructs that PCRE2 would silently read differently:
/// \X; intersections of classes, and classes within classes; in a class \W, \H,
/// [:graph:], [:print:], [:^alnum:], [:^blank:] and [:^word:]; intervals followed by '+',
/// and {n} followed by '?'. Also for \G, because Regex searches a text in several calls.
std::string pcreFromOniguruma(const std::string& pattern);

}  // namespace equipatch
