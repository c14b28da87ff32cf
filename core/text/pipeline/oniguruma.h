// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace equipatch {

/// Translates a regular expression from Oniguruma to PCRE2. Constructs with different
/// meanings in the two, such as \w, \b, \h, [:alpha:], \p{Han}, {,n} and the option m,
/// keep Oniguruma's meaning.
///
/// One known difference remains: with the option i, Oniguruma also matches one character
/// by several, such as "ß" by "ss".
/// @throws Error{Unsupported} naming a construct that has no exact translation, such as
/// \X, \G or a class within a class.
std::string pcreFromOniguruma(const std::string& pattern);

}  // namespace equipatch
