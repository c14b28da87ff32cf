// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/glossary.h"

#include <algorithm>
#include <vector>

#include "glossary_text.h"

namespace equipatch {
namespace {

/// Reads the rows "| word | sentence |".
std::vector<GlossaryEntry> readEntries(std::string_view rest) {
  std::vector<GlossaryEntry> entries;
  rest.remove_prefix(std::min(rest.find("## In one sentence"), rest.size()));
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t middle = line.find(" | ");
    const bool isRow = line.starts_with("| ") && line.ends_with(" |") &&
                       middle != std::string_view::npos && middle + 3 < line.size();
    if (!isRow || line.starts_with("| word |")) continue;
    entries.push_back(
        {line.substr(2, middle - 2), line.substr(middle + 3, line.size() - middle - 5)});
  }
  return entries;
}

}  // namespace

std::span<const GlossaryEntry> glossary() {
  static const std::vector<GlossaryEntry> entries = readEntries(kGlossaryText);
  return entries;
}

std::string_view glossarySentence(std::string_view word) {
  const auto found = std::ranges::find(glossary(), word, &GlossaryEntry::word);
  return found == glossary().end() ? std::string_view() : found->sentence;
}

}  // namespace equipatch
