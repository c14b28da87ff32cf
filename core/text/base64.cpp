#include "core/text/base64.h"

#include <cstdint>

namespace equipatch {
namespace {

/// 0 to 63, or 64 for what is no digit.
std::uint32_t valueOf(char digit) {
  if (digit >= 'A' && digit <= 'Z') return static_cast<std::uint32_t>(digit - 'A');
  if (digit >= 'a' && digit <= 'z') return static_cast<std::uint32_t>(digit - 'a' + 26);
  if (digit >= '0' && digit <= '9') return static_cast<std::uint32_t>(digit - '0' + 52);
  if (digit == '+') return 62;
  return digit == '/' ? 63 : 64;
}

}  // namespace

std::optional<std::string> bytesOfBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
    ++padding;
  std::string result;
  result.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pads = i + padding >= text.size();
    const std::uint32_t value = pads ? 0 : valueOf(text[i]);
    if (value > 63) return std::nullopt;
    bits = bits << 6 | value;
    if (i % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) result += static_cast<char>(bits >> shift & 0xFF);
    bits = 0;
  }
  // What the padding leaves over must be zero: one spelling for each text.
  for (std::size_t i = 0; i < padding; ++i) {
    if (result.back() != '\0') return std::nullopt;
    result.pop_back();
  }
  return result;
}

}  // namespace equipatch
