#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace equipatch {

/// GPT-2's way of writing bytes as printable characters, so that a vocabulary of text can
/// hold any bytes: a space is "Ġ", 0xE2 is "â". A bijection of the 256 bytes.
///
/// The character (one or two bytes of UTF-8) for `byte`.
std::string_view byteLevelCharacter(unsigned char byte);

/// The bytes that `text` stands for, or nothing when it has a character that stands for
/// none.
std::optional<std::string> bytesOfByteLevel(std::string_view text);

}  // namespace equipatch
