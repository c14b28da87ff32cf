// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/strings.h"

#include <openssl/evp.h>

#include <climits>
#include <cstdint>
#include <cstring>

namespace equipatch {

namespace {

/// What table 3-7 of the Unicode Standard allows after a first byte.
struct Lead {
  std::size_t length;  ///< of the character; 0: none starts with this byte
  unsigned char secondLow;
  unsigned char secondHigh;
};

Lead leadOf(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

struct Subpart {
  std::size_t length;
  bool complete;  ///< a whole character
};

/// The longest prefix of `bytes` that can begin a character; if no prefix can, the first
/// byte. `bytes` must not be empty.
Subpart firstSubpart(std::string_view bytes) {
  const Lead lead = leadOf(static_cast<unsigned char>(bytes[0]));
  if (lead.length == 0) return {1, false};
  unsigned char low = lead.secondLow;
  unsigned char high = lead.secondHigh;
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (i == bytes.size()) return {i, false};
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte < low || byte > high) return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {lead.length, true};
}

/// End of the run of ASCII that starts at `offset`.
std::size_t skipAscii(std::string_view bytes, std::size_t offset) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  std::uint64_t block = 0;
  while (bytes.size() - offset >= sizeof block) {
    std::memcpy(&block, bytes.data() + offset, sizeof block);
    if (block & kHighBits) break;
    offset += sizeof block;
  }
  while (offset < bytes.size() && static_cast<unsigned char>(bytes[offset]) < 0x80)
    ++offset;
  return offset;
}

}  // namespace

std::size_t firstInvalidUtf8(std::string_view bytes) {
  std::size_t offset = skipAscii(bytes, 0);
  while (offset < bytes.size()) {
    const Subpart part = firstSubpart(bytes.substr(offset));
    if (!part.complete) return offset;
    offset = skipAscii(bytes, offset + part.length);
  }
  return std::string_view::npos;
}

std::string replaceInvalidUtf8(std::string_view bytes) {
  return replaceInvalidUtf8(bytes, nullptr);
}

std::string replaceInvalidUtf8(std::string_view bytes, std::vector<std::size_t>* places) {
  std::string result;
  result.reserve(bytes.size());
  for (std::size_t offset = 0; offset < bytes.size();) {
    const Subpart part = firstSubpart(bytes.substr(offset));
    const std::size_t begin = result.size();
    if (part.complete)
      result.append(bytes, offset, part.length);
    else
      result += "\xEF\xBF\xBD";
    for (std::size_t i = 0; places && i < part.length; ++i)
      places->push_back(i == 0 ? begin : part.complete ? begin + i : result.size());
    offset += part.length;
  }
  if (places) places->push_back(result.size());
  return result;
}

bool isControl(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0) ||
         (character >= 0x2028 && character <= 0x202E) ||
         (character >= 0x2066 && character <= 0x2069);
}

std::string withoutControls(std::string_view text) {
  const std::string valid = replaceInvalidUtf8(text);
  std::string shown;
  shown.reserve(valid.size());
  for (std::size_t at = 0; at < valid.size();) {
    const std::string_view rest = std::string_view(valid).substr(at);
    const std::size_t length = utf8Length(rest[0]);
    if (isControl(firstCharacter(rest)) && rest[0] != '\t')
      shown += ' ';
    else
      shown.append(rest, 0, length);
    at += length;
  }
  return shown;
}

char32_t firstCharacter(std::string_view text) {
  const std::size_t length = utf8Length(text[0]);
  const auto first = static_cast<unsigned char>(text[0]);
  if (length == 1) return first;
  char32_t character = first & (0x7FU >> length);
  for (const char byte : text.substr(1, length - 1))
    character = (character << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  return character;
}

std::size_t utf8Length(char firstByte) {
  const std::size_t length = leadOf(static_cast<unsigned char>(firstByte)).length;
  return length == 0 ? 1 : length;
}

std::string countText(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string_view cutUtf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
  };
  while (bytes > 0 && continues(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::optional<std::string> decodeBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t digits = text.find_last_not_of('=') + 1;  // npos + 1 is 0
  const std::size_t padding = text.size() - digits;
  // OpenSSL would skip white space at both ends and accept "=" anywhere.
  if (text.size() % 4 != 0 || text.size() > INT_MAX || padding > 2 ||
      text.substr(0, digits).find_first_not_of(kDigits) != std::string_view::npos)
    return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  // In canonical Base64, the unused bits before the padding are zero.
  for (std::size_t i = 0; i < padding; ++i) {
    if (bytes.back() != '\0') return std::nullopt;
    bytes.pop_back();
  }
  return bytes;
}

std::string encodeBase64(std::string_view bytes) {
  constexpr std::size_t kPart = std::size_t{3} << 20;  // EVP counts in int
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4 + 1);
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    const std::string_view part = bytes.substr(at, kPart);
    const std::size_t before = text.size();
    text.resize(before + (part.size() + 2) / 3 * 4 + 1);  // EVP ends the text with NUL
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + before),
                    reinterpret_cast<const unsigned char*>(part.data()),
                    static_cast<int>(part.size()));
    text.pop_back();
  }
  return text;
}

std::string asciiLowered(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpaces) - first + 1));
}

std::string_view withoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace equipatch
