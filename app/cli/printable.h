// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace equipatch::cli {

/// Formats `text`, well-formed UTF-8, as a table cell of `columns` columns: control
/// characters are escaped, and a text that is too long ends with ….
std::string printable(std::string_view text, std::size_t columns);
/// Formats the `visibleText` of a token's text as such a cell.
std::string printableToken(std::string_view text, std::size_t columns);

/// Breaks `text`, well-formed UTF-8, between words into lines of at most 100 columns (a
/// longer word has a line of its own) and escapes control characters. The caller prints
/// the first line from column `indent` on; the other lines are indented to that column.
/// The result ends without a line break.
std::string wrapped(std::string_view text, std::size_t indent);

/// `number` with at most three significant digits, right-aligned in at least `width`
/// columns.
std::string numberText(double number, int width);

// Cells of number columns: right-aligned, kNumberColumns wide, two spaces before each.

constexpr int kNumberColumns = 9;
constexpr std::size_t kTokenColumns = 16;  ///< width of the column of tokens

/// The heading of a number column. A text wider than kNumberColumns makes the heading
/// wider than the column's cells.
/// @param columns the width of the text on a terminal ("L∞" has 2)
std::string heading(const std::string& text, int columns);
/// The columns that `text`, well-formed UTF-8 without control characters, takes.
std::size_t columnsOf(std::string_view text);
/// Appends spaces to `text` until `columnsOf` is at least `columns`.
std::string padded(std::string text, std::size_t columns);
std::string cell(const std::string& text);  ///< `text` must be ASCII
std::string cell(double number);

}  // namespace equipatch::cli
