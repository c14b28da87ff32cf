// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "trainer/documents/document.h"
#include "trainer/documents/word_lists.h"

namespace equipatch {

/// Chooses random words for a document of one split.
class Material {
 public:
  /// @param lists must outlive this.
  Material(const WordLists& lists, Split split, Random random)
      : m_lists(lists), m_split(split), m_random(random) {}

  Random& random() { return m_random; }
  const WordLists& lists() const { return m_lists; }
  Split split() const { return m_split; }

  /// A random entry of a list, from either split.
  const std::string& known(const std::string& list) {
    return m_random.pick(m_lists.words(list));
  }
  /// A random entry that belongs to this split.
  const std::string& fresh(const std::string& list) {
    return m_random.pick(m_lists.words(list, m_split));
  }
  /// `count` different random entries; all entries if the list has fewer.
  Words several(const std::string& list, int count);

  /// A random name, place or character of this split. Some names and places are invented;
  /// the training split misspells some of the others and some characters. The model must
  /// therefore copy these words from the prompt.
  std::string name();
  std::string place();
  std::string character();
  Words names(int count);  ///< all different

  /// How many of `things` things a document asks about: one if held out, one to four in
  /// training, because more questions teach more from the same text.
  int questions(std::size_t things);

  /// A pronounceable, meaningless word of this split, in lower case.
  std::string inventedWord();

  /// Call this before you redraw a random part that repeats an earlier part of the
  /// document. @throws Error{BadInput} after 10,000 calls: the lists are too short.
  void drawAgain();

 private:
  std::string freshOrInvented(const std::string& list, double inventedShare);
  std::string perhapsMisspelt(std::string words);

  const WordLists& m_lists;
  Split m_split;
  Random m_random;
  int m_drawnAgain = 0;
};

/// "a cat", "an owl".
std::string withArticle(const std::string& noun);
std::string capitalised(std::string word);

}  // namespace equipatch
