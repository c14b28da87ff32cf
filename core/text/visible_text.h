// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// Stands for a space at an end of a token that people read by itself. Axes of charts
/// omit it unless they are asked for it (TokenSpaces).
inline constexpr std::string_view kVisibleSpace = "·";

/// A character in well-formed UTF-8. Marks of writing direction and of byte order, and
/// separators of lines, are shown by their names, "‹U+202E›", other control characters as
/// "�".
std::string visibleCharacter(std::string_view character);

/// A text on one line with invisible characters replaced: spaces at its ends by
/// `kVisibleSpace`, line breaks by "↵", tabs by "→", other characters as
/// `visibleCharacter` shows them, bytes that do not form a whole character by their
/// values: "‹E2 82›". Characters without width or ink, such as joiners, are shown by
/// their names if the text has no others but spaces.
std::string visibleText(std::string_view text);

/// A stored piece with spaces in place of SentencePiece's "▁".
std::string textOfPiece(std::string piece);

/// The visible text of a token: its part of `text`, or its piece when it has none.
std::string visibleText(const Token& token, std::string_view text);

/// Bytes as hexadecimal numbers: "E2 82".
std::string hexadecimalText(std::string_view bytes);
/// The bytes of such a text; nothing if it is another.
std::optional<std::string> bytesOfHexadecimal(std::string_view text);

/// Tokens of one sentence in quotation marks: “cat”. The spaces before words are left
/// out, unless two different texts would then look alike: “cat” and “·cat”.
std::vector<std::string> quotedTokens(const std::vector<std::string>& texts);

/// A token's text as a tick label: `visibleText` without the space before a word, cut
/// after 14 characters, with "…".
std::string tokenLabel(std::string_view text);

}  // namespace equipatch
