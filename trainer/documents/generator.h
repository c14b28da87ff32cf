// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "trainer/documents/document.h"
#include "trainer/documents/word_lists.h"

namespace equipatch {

/// Generates documents by index: the same seed, split and index always give the same
/// document. Immutable; any thread.
class Generator {
 public:
  /// @param lists must outlive this.
  Generator(const WordLists& lists, Split split, std::uint64_t seed)
      : m_lists(lists), m_split(split), m_seed(seed) {}

  /// A document of a random skill, with each skill's share of the training data.
  Document document(std::uint64_t index) const;

  /// `examples` is the number of examples in a document of the skills Relation and
  /// Invented. The other skills ignore `examples`.
  Document document(Skill skill, std::uint64_t index, int examples = 8) const;

 private:
  const WordLists& m_lists;
  Split m_split;
  std::uint64_t m_seed;
};

}  // namespace equipatch
