// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/token_sequence.h"

#include <algorithm>

#include "core/base/error.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostTokens = 512;
constexpr std::string_view kSpaces = " \t\r\n";

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t end = 0;;) {
    const std::size_t begin = text.find_first_not_of(kSpaces, end);
    if (begin == std::string_view::npos) return all;
    end = std::min(text.find_first_of(kSpaces, begin), text.size());
    all.push_back(text.substr(begin, end - begin));
  }
}

}  // namespace

TokenSequence readTokens(std::string_view text) {
  const auto all = words(text);
  if (all.size() < 2 || all.size() > kMostTokens)
    throw badInput("text: expected 2 to " + std::to_string(kMostTokens) +
                   " tokens between spaces, found " + std::to_string(all.size()));
  TokenSequence sequence;
  for (const std::string_view word : all) {
    const auto found = std::find(sequence.names.begin(), sequence.names.end(), word);
    sequence.ids.push_back(found - sequence.names.begin());
    if (found == sequence.names.end()) sequence.names.emplace_back(word);
  }
  return sequence;
}

}  // namespace equipatch
