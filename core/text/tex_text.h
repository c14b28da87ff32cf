// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// A text in ASCII that LaTeX shows in any font encoding, with TeX's own characters
/// escaped. Characters that are neither printable ASCII nor in the tables of tex_text.cpp
/// become \equipatchchar, and letters with an ogonek \equipatchogonek, which
/// kTexCharacter defines; bytes that are not UTF-8 are shown as U+FFFD.
std::string texText(std::string_view text);

/// The text in lines of at most this many characters, broken at spaces; a longer word has
/// a line of its own. At least one line, which may be empty.
std::vector<std::string> brokenText(std::string_view text, std::size_t letters);
/// The same for TeX, with \\ between the lines.
std::string texLines(std::string_view text, std::size_t letters);

/// The number of characters of well-formed UTF-8.
std::size_t lettersOf(std::string_view text);

/// Defines \equipatchchar: the character by its hexadecimal number in LuaLaTeX and
/// XeLaTeX; pdfLaTeX, which lacks it, prints "U+" and the number. And \equipatchogonek:
/// the letter with \k if the font encoding has that accent, as T1 does and OT1, the
/// default of pdfLaTeX, does not; otherwise \equipatchchar with the number.
inline constexpr std::string_view kTexCharacter =
    "\\protected\\def\\equipatchchar#1{\\ifdefined\\Umathcode\\char\"#1\\relax"
    "\\else{\\tiny U+#1}\\fi}%\n"
    "\\protected\\def\\equipatchogonek#1#2{\\ifcsname\\csname f@encoding\\endcsname"
    "\\string\\k\\endcsname\\k{#1}\\else\\equipatchchar{#2}\\fi}%\n";

}  // namespace equipatch
