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

  /// Any entry of a list, for both splits.
  const std::string& known(const std::string& list) {
    return m_random.pick(m_lists.words(list));
  }
  /// An entry that belongs to this split.
  const std::string& fresh(const std::string& list) {
    return m_random.pick(m_lists.words(list, m_split));
  }
  /// `count` different entries, or all of a shorter list.
  Words several(const std::string& list, int count);

  /// Names, places and characters of this split. Some names and places are invented, and
  /// in training some of all three are misspelt, so that the model must copy them from
  /// the prompt.
  std::string name();
  std::string place();
  std::string character();
  /// `count` different names.
  Words names(int count);

  /// How many of `things` things a document asks about. A held-out document asks about 1,
  /// one for training about 1 to 4, because more questions teach more from the same text.
  int questions(std::size_t things);

  /// A pronounceable word without a meaning, in lower case, of this split.
  std::string inventedWord();

  /// To be called when a random part of the document repeats an earlier one and is drawn
  /// again. @throws Error{BadInput} after so many calls that the lists must be too short.
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
