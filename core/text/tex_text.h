// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// A text in ASCII that LaTeX shows in any font encoding, with TeX's own characters
/// escaped. Characters that are neither printable ASCII nor in the tables of tex_text.cpp
/// become \equipatchchar, and letters with an ogonek \equipatchogonek; kTexCharacter
/// defines both macros. Bytes that are not UTF-8 are shown as U+FFFD.
std::string texText(std::string_view text);

/// The text in lines of at most this many characters, broken at spaces; a longer word has
/// a line of its own. At least one line, which may be empty.
std::vector<std::string> brokenText(std::string_view text, std::size_t letters);
/// The same for TeX, with \\ between the lines.
std::string texLines(std::string_view text, std::size_t letters);

/// The number of characters of well-formed UTF-8.
std::size_t lettersOf(std::string_view text);

/// Defines two macros. \equipatchchar takes a hexadecimal code point: LuaLaTeX and
/// XeLaTeX print the character, pdfLaTeX prints "U+" and the number. \equipatchogonek
/// takes a letter and a code point: it prints the letter with the accent \k if the font
/// encoding has this accent (T1 has it; OT1, pdfLaTeX's default, lacks it), otherwise
/// \equipatchchar of the code point.
inline constexpr std::string_view kTexCharacter =
    "\\protected\\def\\equipatchchar#1{\\ifdefined\\Umathcode\\char\"#1\\relax"
    "\\else{\\tiny U+#1}\\fi}%\n"
    "\\protected\\def\\equipatchogonek#1#2{\\ifcsname\\csname f@encoding\\endcsname"
    "\\string\\k\\endcsname\\k{#1}\\else\\equipatchchar{#2}\\fi}%\n";

}  // namespace equipatch
