// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "core/base/strings.h"

namespace equipatch {
namespace {

constexpr std::size_t kMaxQuotedBytes = 120;

}  // namespace

Error::Error(ErrorKind kind, const std::string& sentence)
    : std::runtime_error(sentence), m_kind(kind) {}

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
  // Repairing first may lengthen the text, but cutting first could split a character.
  std::string shown = replaceInvalidUtf8(text.substr(0, 2 * kMaxQuotedBytes));
  if (shown.size() > kMaxQuotedBytes)
    shown = std::string(cutUtf8(shown, kMaxQuotedBytes)) + "…";
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = ' ';
  return "\"" + shown + "\"";
}

}  // namespace equipatch
