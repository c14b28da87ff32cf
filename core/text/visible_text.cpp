// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/visible_text.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/base/strings.h"

namespace equipatch {
namespace {

constexpr std::string_view kSpaceOfPieces = "▁";  // SentencePiece writes a space as this

/// Marks of writing direction and of byte order, and separators of lines and paragraphs.
bool changesTheLine(char32_t point) {
  return point == 0x61C || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x206F) ||
         point == 0xFEFF;
}

/// Characters without width or ink.
bool isInvisible(char32_t point) {
  return point == 0xA0 || point == 0xAD || point == 0x180E || point == 0x3164 ||
         (point >= 0x2000 && point <= 0x200D) || point == 0x202F ||
         (point >= 0x205F && point <= 0x2065) || point == 0x3000 ||
         (point >= 0xFE00 && point <= 0xFE0F);
}

std::string hexadecimal(char letter) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(letter);
  return {kDigits[byte / 16], kDigits[byte % 16]};
}

/// "‹U+202E›". @param point below U+10000
std::string nameOfPoint(char32_t point) {
  return "‹U+" + hexadecimal(static_cast<char>(point >> 8)) +
         hexadecimal(static_cast<char>(point)) + "›";
}

std::string onOneLine(std::string_view character) {
  if (character == "\n" || character == "\r") return "↵";
  return character == "\t" ? "→" : visibleCharacter(character);
}

bool isBlank(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at += utf8Length(text[at]))
    if (text[at] != ' ' && !isInvisible(firstCharacter(text.substr(at)))) return false;
  return true;
}

std::string repeated(std::string_view sign, std::size_t times) {
  std::string signs;
  for (std::size_t i = 0; i < times; ++i) signs += sign;
  return signs;
}

/// Bytes outside of UTF-8 as hexadecimal numbers: "‹E2 82›".
std::string withHexadecimal(std::string_view text) {
  if (replaceInvalidUtf8(text) == text) return std::string(text);
  std::string result;
  bool open = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character =
        text.substr(at, std::min(utf8Length(text[at]), text.size() - at));
    const bool valid = replaceInvalidUtf8(character) == character;
    if (valid == open)
      result += open ? "›" : "‹";
    else if (!valid)
      result += ' ';
    open = !valid;
    result += valid ? std::string(character) : hexadecimal(text[at]);
    at += valid ? character.size() : 1;
  }
  return open ? result + "›" : result;
}

}  // namespace

std::string visibleCharacter(std::string_view character) {
  const char32_t point = firstCharacter(character);
  if (changesTheLine(point)) return nameOfPoint(point);
  return std::string(isControl(point) ? "\uFFFD" : character);
}

std::string hexadecimalText(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += (text.empty() ? "" : " ") + hexadecimal(byte);
  return text;
}

std::optional<std::string> bytesOfHexadecimal(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    unsigned int byte = 0;
    const char* const end = text.data() + std::min(at + 2, text.size());
    if (std::from_chars(text.data() + at, end, byte, 16).ptr != end) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  if (hexadecimalText(bytes) != text) return std::nullopt;
  return bytes;
}

std::string visibleText(std::string_view text) {
  const std::string valid = withHexadecimal(text);
  const std::size_t first = std::min(valid.find_first_not_of(' '), valid.size());
  const std::size_t last =
      valid.find_last_not_of(' ') + 1;  // 0 when there are only spaces
  std::string result = repeated(kVisibleSpace, first);
  const bool blank = isBlank(valid);
  for (std::size_t at = first; at < last;) {
    const std::string_view character =
        std::string_view(valid).substr(at, utf8Length(valid[at]));
    const char32_t point = firstCharacter(character);
    result += blank && isInvisible(point) ? nameOfPoint(point) : onOneLine(character);
    at += character.size();
  }
  return result + repeated(kVisibleSpace, valid.size() - std::max(first, last));
}

std::string textOfPiece(std::string piece) {
  for (std::size_t at = 0; (at = piece.find(kSpaceOfPieces, at)) != std::string::npos;)
    piece.replace(at, kSpaceOfPieces.size(), " ");
  return piece;
}

std::string visibleText(const Token& token, std::string_view text) {
  const ByteSpan& span = token.span;
  const bool hasText = span.begin < span.end && span.end <= text.size();
  return hasText ? visibleText(text.substr(span.begin, span.end - span.begin))
                 : visibleText(textOfPiece(token.piece));
}

namespace {

constexpr std::size_t kMostCharacters = 14;

std::string_view withoutLeadingSpaces(std::string_view text) {
  const std::size_t word = text.find_first_not_of(' ');
  return word == std::string_view::npos ? text : text.substr(word);
}

}  // namespace

std::vector<std::string> quotedTokens(const std::vector<std::string>& texts) {
  std::map<std::string_view, std::string_view> words;
  bool alike = false;
  for (const std::string_view text : texts) {
    const auto [found, added] = words.emplace(withoutLeadingSpaces(text), text);
    alike = alike || found->second != text;
  }
  std::vector<std::string> quoted;
  for (const std::string_view text : texts)
    quoted.push_back("“" + visibleText(alike ? text : withoutLeadingSpaces(text)) + "”");
  return quoted;
}

std::string tokenLabel(std::string_view text) {
  const std::string label = visibleText(withoutLeadingSpaces(text));
  std::size_t end = 0;
  for (std::size_t count = 0; end < label.size(); ++count) {
    if (count == kMostCharacters) return label.substr(0, end) + "…";
    end += utf8Length(label[end]);
  }
  return label;
}

}  // namespace equipatch
