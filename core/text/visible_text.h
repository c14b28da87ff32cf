// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// Shown for a space at the beginning or end of a token.
inline constexpr std::string_view kVisibleSpace = "·";

/// Replaces bidirectional controls, the byte order mark and Unicode's separators of lines
/// and paragraphs by their code points ("‹U+202E›"), and other control characters by "�".
/// @param character well-formed UTF-8
std::string visibleCharacter(std::string_view character);

/// A text on one line: `kVisibleSpace` for spaces at its ends, "↵" for line breaks, "→"
/// for tabs, "‹E2 82›" for bytes that do not form a whole character, other characters as
/// `visibleCharacter`. If the text has only spaces and characters without width or ink,
/// such as joiners, the characters without width or ink become code points.
std::string visibleText(std::string_view text);

/// A piece with spaces in place of SentencePiece's "▁".
std::string textOfPiece(std::string piece);

/// Shows the token's span of `text`, or the token's piece if the span is empty.
std::string visibleText(const Token& token, std::string_view text);

/// The bytes as hexadecimal: "E2 82".
std::string hexadecimalText(std::string_view bytes);
/// The inverse; nullopt for a text that hexadecimalText does not write.
std::optional<std::string> bytesOfHexadecimal(std::string_view text);

/// The tokens that one sentence names, in quotation marks: “cat”. Spaces before words are
/// left out, unless two tokens would then look alike: “cat” and “·cat”.
std::vector<std::string> quotedTokens(const std::vector<std::string>& texts);

/// `visibleText` without the space before a word, cut after 14 characters, with "…".
std::string tokenLabel(std::string_view text);

}  // namespace equipatch
