#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace equipatch {

/// Offset of the first byte that is not part of well-formed UTF-8 (surrogates, overlong
/// forms and values above U+10FFFF are not), or npos.
std::size_t firstInvalidUtf8(std::string_view bytes);

/// `bytes` with each maximal ill-formed subpart replaced by U+FFFD.
std::string replaceInvalidUtf8(std::string_view bytes);

/// Bytes of the character that starts at `bytes[offset]` of well-formed UTF-8: 1 to 4.
std::size_t utf8Length(char firstByte);

}  // namespace equipatch
