#pragma once

#include <cstddef>
#include <string>

namespace equipatch::cli {

// Columns of numbers: each kNumberColumns wide, two spaces before it, right-aligned.

constexpr int kNumberColumns = 9;
constexpr std::size_t kTokenColumns = 16;  ///< of a token's text before them

/// `columns` is the text's own width, which its bytes do not tell ("L∞" has 2).
std::string heading(const std::string& text, int columns);
std::string cell(const std::string& text);  ///< ASCII
std::string cell(double number);

}  // namespace equipatch::cli
