// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace equipatch {

/// The number that the whole text is, as std::from_chars reads it, independent of the
/// locale; nothing when the text is anything else or the number does not fit.
/// Floating-point numbers may be "nan" or "inf".
template <typename Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace equipatch
