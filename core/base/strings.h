// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// Offset of the first byte that is not part of well-formed UTF-8, or npos. Surrogates,
/// overlong forms and values above U+10FFFF are ill-formed.
std::size_t firstInvalidUtf8(std::string_view bytes);

/// `bytes` with each maximal ill-formed subpart replaced by U+FFFD.
std::string replaceInvalidUtf8(std::string_view bytes);
/// The same. Unless `places` is null, also appends to it the offset in the result of each
/// byte of `bytes`, then of the end. In an ill-formed subpart, the first byte gets the
/// offset of the U+FFFD, every other byte the offset after the U+FFFD.
std::string replaceInvalidUtf8(std::string_view bytes, std::vector<std::size_t>* places);

/// True for a character that changes how a terminal or a label shows what follows: a
/// control character, a line or paragraph separator, or the begin or end of an embedding,
/// override or isolate of the writing direction.
bool isControl(char32_t character);

/// The text as well-formed UTF-8 with a space in place of each control character except
/// the tab.
std::string withoutControls(std::string_view text);

/// The first character of `text`, which is well-formed UTF-8 and not empty.
char32_t firstCharacter(std::string_view text);

/// Length in bytes, 1 to 4, of the character with this first byte, in well-formed UTF-8.
std::size_t utf8Length(char firstByte);

/// "1 step", "5 steps".
std::string countText(std::size_t count, const std::string& thing);

/// The longest prefix of `text` with at most `bytes` bytes that does not split a
/// character.
std::string_view cutUtf8(std::string_view text, std::size_t bytes);

/// The bytes that a text in Base64 (RFC 4648, padded) encodes; nothing when it is not
/// valid Base64.
std::optional<std::string> decodeBase64(std::string_view text);

/// Bytes in Base64 (RFC 4648), padded.
std::string encodeBase64(std::string_view bytes);

/// `text` with A to Z replaced by a to z. All other characters stay, including letters of
/// other alphabets.
std::string asciiLowered(std::string text);

/// `text` without the spaces, tabs and line ends at its beginning and end.
std::string trimmed(std::string_view text);

/// `text` without the UTF-8 byte order mark that editors may write at its beginning.
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
