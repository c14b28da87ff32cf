// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/byte_level.h"

#include <array>

namespace equipatch {

namespace {

constexpr int kUnmapped = -1;
/// All code points are below this: 256, and one more for each of the 68 bytes that do not
/// print as themselves.
constexpr std::size_t kCodePoints = 256 + 68;

bool printsAsItself(unsigned byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
  std::array<std::string, 256> characters;
  std::array<int, kCodePoints> bytes;

  Alphabet() {
    bytes.fill(kUnmapped);
    unsigned extra = 256;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const unsigned codePoint = printsAsItself(byte) ? byte : extra++;
      bytes[codePoint] = static_cast<int>(byte);
      if (codePoint < 0x80)
        characters[byte] = std::string(1, static_cast<char>(codePoint));
      else
        characters[byte] = {static_cast<char>(0xC0 | (codePoint >> 6)),
                            static_cast<char>(0x80 | (codePoint & 0x3F))};
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet instance;
  return instance;
}

}  // namespace

std::string_view byteLevelCharacter(unsigned char byte) {
  return alphabet().characters[byte];
}

std::optional<std::string> bytesOfByteLevel(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned codePoint = static_cast<unsigned char>(text[at]);
    if (codePoint >= 0x80) {
      // Only two-byte characters: the alphabet's code points are below 0x800.
      if (codePoint < 0xC2 || codePoint >= 0xE0 || at + 1 == text.size())
        return std::nullopt;
      codePoint =
          (codePoint & 0x1F) << 6 | (static_cast<unsigned char>(text[++at]) & 0x3F);
    }
    if (codePoint >= kCodePoints || alphabet().bytes[codePoint] == kUnmapped)
      return std::nullopt;
    result += static_cast<char>(alphabet().bytes[codePoint]);
  }
  return result;
}

}  // namespace equipatch
