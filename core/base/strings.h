#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// Offset of the first byte that is not part of well-formed UTF-8 (surrogates, overlong
/// forms and values above U+10FFFF are not), or npos.
std::size_t firstInvalidUtf8(std::string_view bytes);

/// `bytes` with each maximal ill-formed subpart replaced by U+FFFD.
std::string replaceInvalidUtf8(std::string_view bytes);

/// Bytes of the character that starts at `bytes[offset]` of well-formed UTF-8: 1 to 4.
std::size_t utf8Length(char firstByte);

/// The bytes that a text in Base64 (RFC 4648, padded) encodes; nothing when it is not
/// valid Base64.
std::optional<std::string> decodeBase64(std::string_view text);

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
