// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// Shown for a space at the beginning or end of a token, where a token stands by itself.
/// Axes of charts leave out the space before a token, unless TokenSpaces::Visible is set.
inline constexpr std::string_view kVisibleSpace = "·";

/// Makes a character, given in well-formed UTF-8, visible. Marks of writing direction and
/// of byte order, and separators of lines, become their code points ("‹U+202E›"), other
/// control characters "�".
std::string visibleCharacter(std::string_view character);

/// A text on one line with invisible characters replaced: spaces at its ends by
/// `kVisibleSpace`, line breaks by "↵", tabs by "→", other characters as
/// `visibleCharacter` shows them, bytes that do not form a whole character by their
/// values: "‹E2 82›". If the text consists only of spaces and characters without width
/// or ink, such as joiners, the latter are replaced by their code points.
std::string visibleText(std::string_view text);

/// A stored piece with spaces in place of SentencePiece's "▁".
std::string textOfPiece(std::string piece);

/// The visible text of a token: its part of `text`, or its piece when it has none.
std::string visibleText(const Token& token, std::string_view text);

/// Bytes as hexadecimal numbers: "E2 82".
std::string hexadecimalText(std::string_view bytes);
/// The inverse; nothing if hexadecimalText does not write such a text.
std::optional<std::string> bytesOfHexadecimal(std::string_view text);

/// Puts the tokens that one sentence names into quotation marks: “cat”. Spaces before
/// words are left out, unless two tokens would then look alike: “cat” and “·cat”.
std::vector<std::string> quotedTokens(const std::vector<std::string>& texts);

/// A token's text as a tick label: `visibleText` without the space before a word, cut
/// after 14 characters, with "…".
std::string tokenLabel(std::string_view text);

}  // namespace equipatch
