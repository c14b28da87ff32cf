#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "trainer/documents/document.h"
#include "trainer/documents/word_lists.h"

namespace equipatch {

/// What a document is written from: words, luck, and the split it must keep to.
class Material {
 public:
  Material(const WordLists& lists, Split split, Random random)
      : m_lists(lists), m_split(split), m_random(random) {}

  Random& random() { return m_random; }
  const WordLists& lists() const { return m_lists; }
  Split split() const { return m_split; }

  /// Any entry of a list: what every document may use.
  const std::string& known(const std::string& list) {
    return m_random.pick(m_lists.words(list));
  }
  /// An entry that only documents of this split use.
  const std::string& fresh(const std::string& list) {
    return m_random.pick(m_lists.words(list, m_split));
  }
  /// `count` different entries.
  Words several(const std::string& list, int count);

  /// Given names and places of this split; some are made up, so that they must be copied
  /// and cannot be known.
  std::string name();
  std::string place();
  std::string character();
  /// `count` different names.
  Words names(int count);

  /// How often a document asks about what it gives: training asks for up to four of
  /// `things`, which teaches more from the same text; an examination asks once.
  int questions(std::size_t things);

  /// A pronounceable word that means nothing, in small letters, of this split.
  std::string inventedWord();

 private:
  std::string freshOrInvented(const std::string& list, double inventedShare);
  std::string perhapsMisspelt(std::string words);

  const WordLists& m_lists;
  Split m_split;
  Random m_random;
};

/// "a cat", "an owl".
std::string withArticle(const std::string& noun);
std::string capitalised(std::string word);

}  // namespace equipatch
