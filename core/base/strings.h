// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// Offset of the first byte that is not part of well-formed UTF-8; npos if there is none.
std::size_t firstInvalidUtf8(std::string_view bytes);

/// `bytes` with each maximal ill-formed subpart replaced by U+FFFD.
std::string replaceInvalidUtf8(std::string_view bytes);
/// The same. Also appends to `places`, unless null, the offset in the result of each byte
/// of `bytes`, then the size of the result. In an ill-formed subpart, the first byte gets
/// the offset of the U+FFFD, every other byte the offset after the U+FFFD.
std::string replaceInvalidUtf8(std::string_view bytes, std::vector<std::size_t>* places);

/// True for control characters, line and paragraph separators, and characters that begin
/// or end an embedding, override or isolate of the writing direction.
bool isControl(char32_t character);

/// `replaceInvalidUtf8(text)` with a space in place of each control character
/// (`isControl`) except tabs.
std::string withoutControls(std::string_view text);

/// `text` must be well-formed UTF-8 and not empty.
char32_t firstCharacter(std::string_view text);

/// Length in bytes, 2 to 4, of a multi-byte UTF-8 character with this first byte; 1 for
/// every other byte.
std::size_t utf8Length(char firstByte);

/// "1 step", "5 steps"
std::string countText(std::size_t count, const std::string& thing);

/// The longest prefix of `text` with at most `bytes` bytes that does not split a
/// character.
std::string_view cutUtf8(std::string_view text, std::size_t bytes);

/// Decodes Base64 (RFC 4648, padded); nothing if `text` is not canonical or is longer
/// than INT_MAX bytes.
std::optional<std::string> decodeBase64(std::string_view text);

/// Encodes in Base64 (RFC 4648), padded.
std::string encodeBase64(std::string_view bytes);

std::string asciiLowered(std::string text);

/// Without spaces, tabs and line ends at the beginning and end.
std::string trimmed(std::string_view text);

/// Without a UTF-8 byte order mark at the beginning.
std::string_view withoutByteOrderMark(std::string_view text);

/// "a, b, c"
inline std::string joined(const std::vector<std::string>& texts,
                          std::string_view separator = ", ") {
  std::string all;
  for (const std::string& text : texts) {
    if (&text != &texts.front()) all += separator;
    all += text;
  }
  return all;
}

}  // namespace equipatch
