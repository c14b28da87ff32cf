// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/printable.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch::cli {

namespace {

constexpr std::size_t kLineColumns = 100;

struct Range {
  char32_t first;
  char32_t last;
};

// Characters that terminals show in two columns.
constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                      {0x2E80, 0x303E},
                                      {0x3041, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE6F},
                                      {0xFF00, 0xFF60},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};
// Characters that take no column: combining marks, zero-width characters and variation
// selectors.
constexpr std::array<Range, 4> kZeroWidth{
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

template <std::size_t count>
bool isIn(const std::array<Range, count>& ranges, char32_t character) {
  for (const Range& range : ranges)
    if (character >= range.first && character <= range.last) return true;
  return false;
}

std::string escaped(char32_t control) {
  if (control == '\n') return "\\n";
  if (control == '\t') return "\\t";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), control < 0x80 ? "\\x%02X" : "\\u%04X",
                static_cast<unsigned>(control));
  return text.data();
}

/// A text and its width on a terminal.
struct TerminalText {
  std::string bytes;
  std::size_t columns = 1;
};

TerminalText characterText(std::string_view bytes) {
  const char32_t character = firstCharacter(bytes);
  if (isControl(character)) {
    const std::string text = escaped(character);
    return {text, text.size()};
  }
  if (isIn(kZeroWidth, character)) return {std::string(bytes), 0};
  return {std::string(bytes), isIn(kWide, character) ? std::size_t(2) : std::size_t(1)};
}

TerminalText visible(std::string_view word) {
  TerminalText all{"", 0};
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t length = utf8Length(word[at]);
    const TerminalText shown = characterText(word.substr(at, length));
    at += length;
    all.bytes += shown.bytes;
    all.columns += shown.columns;
  }
  return all;
}

}  // namespace

std::string printable(std::string_view text, std::size_t columns) {
  std::string line;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8Length(text[at]);
    const TerminalText shown = characterText(text.substr(at, length));
    at += length;
    const std::size_t reserve = at < text.size() ? 1 : 0;  // for the …
    if (used + shown.columns + reserve > columns) {
      line += "…";
      ++used;
      break;
    }
    line += shown.bytes;
    used += shown.columns;
  }
  return line + std::string(columns > used ? columns - used : 0, ' ');
}

std::string printableToken(std::string_view text, std::size_t columns) {
  return printable(visibleText(text), columns);
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string lines;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const TerminalText word = visible(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.bytes.empty()) continue;
    if (used > indent && used + 1 + word.columns > kLineColumns) {
      lines += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (used > indent) {
      lines += ' ';
      ++used;
    }
    lines += word.bytes;
    used += word.columns;
  }
  return lines;
}

std::string numberText(double number, int width) {
  const std::string text = shortText(number, 3);
  const auto columns = static_cast<std::size_t>(std::max(width, 0));
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

std::string heading(const std::string& text, int columns) {
  const int before = 2 + std::max(0, kNumberColumns - columns);
  return std::string(static_cast<std::size_t>(before), ' ') + text;
}

std::size_t columnsOf(std::string_view text) {
  return visible(text).columns;
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t used = columnsOf(text);
  return text.append(columns - std::min(columns, used), ' ');
}

std::string cell(const std::string& text) {
  return heading(text, static_cast<int>(text.size()));
}

std::string cell(double number) {
  return "  " + numberText(number, kNumberColumns);
}

}  // namespace equipatch::cli
