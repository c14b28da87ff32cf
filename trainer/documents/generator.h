#pragma once

#include <cstdint>

#include "trainer/documents/document.h"
#include "trainer/documents/word_lists.h"

namespace equipatch {

/// An endless, numbered supply of documents: the same seed, split and number always give
/// the same document, so a training that was interrupted goes on by number alone.
/// Immutable; any thread.
class Generator {
 public:
  /// @param lists must outlive this.
  Generator(const WordLists& lists, Split split, std::uint64_t seed)
      : m_lists(lists), m_split(split), m_seed(seed) {}

  /// Skills in the proportions of the training.
  Document document(std::uint64_t number) const;

  /// Of one skill; for those that answer from examples, with so many of them.
  Document document(Skill skill, std::uint64_t number, int examples = 8) const;

 private:
  const WordLists& m_lists;
  Split m_split;
  std::uint64_t m_seed;
};

}  // namespace equipatch
