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

  /// A random entry of a list, whichever split it belongs to.
  const std::string& known(const std::string& list) {
    return m_random.pick(m_lists.words(list));
  }
  /// A random entry that belongs to this split.
  const std::string& fresh(const std::string& list) {
    return m_random.pick(m_lists.words(list, m_split));
  }
  /// `count` different random entries; all entries if the list has fewer.
  Words several(const std::string& list, int count);

  /// Names, places and characters of this split. Some names and places are invented. In
  /// the training split, some names, places and characters are misspelt. The model must
  /// therefore copy them from the prompt.
  std::string name();
  std::string place();
  std::string character();
  /// `count` different names.
  Words names(int count);

  /// How many of `things` things a document asks about. A held-out document asks about 1,
  /// a training document about 1 to 4: more questions teach more from the same text.
  int questions(std::size_t things);

  /// A pronounceable word without a meaning, in lower case, of this split.
  std::string inventedWord();

  /// Call this before a random part of the document is drawn again because it repeats an
  /// earlier part. @throws Error{BadInput} after 10,000 calls: the lists are too short.
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
