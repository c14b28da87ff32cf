#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace equipatch::cli {

/// Well-formed UTF-8 as one visible piece for a table: spaces as ␣, line breaks and
/// control characters escaped, cut with … where it would be wider than `columns`, and
/// filled with spaces up to them.
std::string printable(std::string_view text, std::size_t columns);

/// Well-formed UTF-8 in lines of at most 100 columns where words allow it, control
/// characters escaped. The first line is meant to begin at column `indent`; the others
/// are indented so far. Ends without a line break.
std::string wrapped(std::string_view text, std::size_t indent);

/// "1 prompt token", "5 prompt tokens".
std::string countText(std::size_t count, const std::string& thing);

/// `number` in `width` characters, with about three significant digits.
std::string numberText(double number, int width);

// Columns of numbers: each kNumberColumns wide, two spaces before it, right-aligned.

constexpr int kNumberColumns = 9;
constexpr std::size_t kTokenColumns = 16;  ///< of a token's text before them

/// `columns` is the text's own width, which its bytes do not tell ("L∞" has 2).
std::string heading(const std::string& text, int columns);
std::string cell(const std::string& text);  ///< ASCII
std::string cell(double number);

}  // namespace equipatch::cli
