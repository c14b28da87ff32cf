// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/token_label.h"

#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostCharacters = 14;

std::string_view withoutLeadingSpaces(std::string_view text) {
  const std::size_t word = text.find_first_not_of(' ');
  return word == std::string_view::npos ? text : text.substr(word);
}

}  // namespace

std::string tokenLabel(std::string_view text) {
  const std::string label = visibleText(withoutLeadingSpaces(text));
  std::size_t end = 0;
  for (std::size_t count = 0; end < label.size(); ++count) {
    if (count == kMostCharacters) return label.substr(0, end) + "…";
    end += utf8Length(label[end]);
  }
  return label;
}

}  // namespace equipatch
