// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace equipatch {

/// Parses the whole text as one number with std::from_chars, independent of the locale.
/// Returns nullopt when the text is anything else, even a number with a space beside it,
/// or when the number does not fit the type. For floating-point types, "nan" and "inf"
/// are numbers too.
template <typename Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace equipatch
