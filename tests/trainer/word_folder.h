// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test_data.h"
#include "trainer/documents/generator.h"

namespace equipatch::test {

/// The words that the bundled model is trained on.
inline std::filesystem::path wordFolder() {
  return data("../../trainer/words");
}

inline const WordLists& wordLists() {
  static const WordLists lists = WordLists::read(wordFolder());
  return lists;
}

/// Documents of one skill, held-out ones unless `split` says otherwise; most tests look
/// at a few hundred.
inline std::vector<Document> documentsOf(Skill skill, int count, int examples = 8,
                                         Split split = Split::HeldOut) {
  const Generator generator(wordLists(), split, 11);
  std::vector<Document> documents;
  for (int i = 0; i < count; ++i)
    documents.push_back(
        generator.document(skill, static_cast<std::uint64_t>(i), examples));
  return documents;
}

/// The words between spaces or line ends, without the characters `.,:;?`.
inline std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c == ' ' || c == '\n')
      words.emplace_back();
    else if (std::string_view(".,:;?").find(c) == std::string_view::npos)
      words.back() += c;
  std::erase(words, "");
  return words;
}

/// The text between two parts of a text; empty if one is missing.
inline std::string between(const std::string& text, const std::string& before,
                           const std::string& behind) {
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + before.size();
  const std::size_t end = text.find(behind, from);
  return end == std::string::npos ? std::string() : text.substr(from, end - from);
}

}  // namespace equipatch::test
