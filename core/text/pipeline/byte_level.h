// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace equipatch {

/// GPT-2's mapping of bytes to printable characters, which lets a vocabulary of text hold
/// any bytes: a space is "Ġ", 0xE2 is "â". A bijection of the 256 bytes.
///
/// The character (one or two bytes of UTF-8) of `byte`.
std::string_view byteLevelCharacter(unsigned char byte);

/// The bytes of `text`, or nothing when it contains a character outside the mapping.
std::optional<std::string> bytesOfByteLevel(std::string_view text);

}  // namespace equipatch
