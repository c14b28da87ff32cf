// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// ASCII source with which LaTeX shows the text in any font encoding. The document must
/// contain kTexCharacter, because the source may use its macros. Bytes that are not UTF-8
/// are shown as U+FFFD.
std::string texText(std::string_view text);

/// The text in lines of at most `letters` characters, broken at spaces; a longer word has
/// a line of its own. At least one line, which may be empty.
std::vector<std::string> brokenText(std::string_view text, std::size_t letters);
/// The lines of `brokenText`, each as `texText`, with \\ between them.
std::string texLines(std::string_view text, std::size_t letters);

/// The number of code points of well-formed UTF-8.
std::size_t lettersOf(std::string_view text);

/// Defines two macros, where POINT is a hexadecimal code point. \equipatchchar{POINT}
/// prints the character in LuaLaTeX and XeLaTeX, "U+POINT" in pdfLaTeX.
/// \equipatchogonek{LETTER}{POINT} prints \k{LETTER} if the font encoding has the accent
/// \k (OT1 lacks it), otherwise \equipatchchar{POINT}.
inline constexpr std::string_view kTexCharacter =
    "\\protected\\def\\equipatchchar#1{\\ifdefined\\Umathcode\\char\"#1\\relax"
    "\\else{\\tiny U+#1}\\fi}%\n"
    "\\protected\\def\\equipatchogonek#1#2{\\ifcsname\\csname f@encoding\\endcsname"
    "\\string\\k\\endcsname\\k{#1}\\else\\equipatchchar{#2}\\fi}%\n";

}  // namespace equipatch
