// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <algorithm>

#include "core/base/strings.h"

namespace equipatch {
namespace {

constexpr std::size_t kMaxQuotedBytes = 120;

/// Replaces white space that contains a line break by one space; at the beginning and at
/// the end, removes it.
std::string onOneLine(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  std::string line;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find_first_of(kSpace), text.size());
    line += text.substr(0, space);
    text.remove_prefix(space);
    const std::size_t next = std::min(text.find_first_not_of(kSpace), text.size());
    const std::string_view gap = text.substr(0, next);
    const bool breaks = gap.find_first_of("\n\v\f\r") != std::string_view::npos;
    if (!breaks)
      line += gap;
    else if (!line.empty() && next < text.size())
      line += ' ';
    text.remove_prefix(next);
  }
  return line;
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& sentence)
    : std::runtime_error(withoutControls(onOneLine(sentence))), m_kind(kind) {}

Error Error::within(const std::string& context) const {
  return Error(m_kind, context + ": " + what());
}

Error badInput(const std::string& sentence) {
  return Error(ErrorKind::BadInput, sentence);
}

Error unsupported(const std::string& sentence) {
  return Error(ErrorKind::Unsupported, sentence);
}

std::string inQuotes(std::string_view text) {
  // The first cut, which may split a character, bounds the work of `withoutControls`.
  // `withoutControls` may change the length, so the final cut comes afterwards.
  constexpr std::size_t kStart = 2 * kMaxQuotedBytes;
  std::string shown = withoutControls(text.substr(0, kStart));
  if (shown.size() > kMaxQuotedBytes || text.size() > kStart)
    shown = std::string(cutUtf8(shown, kMaxQuotedBytes)) + "…";
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  return "\"" + shown + "\"";
}

}  // namespace equipatch
