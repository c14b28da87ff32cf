// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "trainer/documents/document.h"
#include "trainer/documents/word_lists.h"

namespace equipatch {

/// Generates documents by index: the same seed, split and index always give the same
/// document. A training can therefore be resumed at an index. Immutable; any thread.
class Generator {
 public:
  /// @param lists must outlive this.
  Generator(const WordLists& lists, Split split, std::uint64_t seed)
      : m_lists(lists), m_split(split), m_seed(seed) {}

  /// A document of a random skill, in the proportions of the training.
  Document document(std::uint64_t index) const;

  /// A document of one skill; `examples` matters only for skills that answer from
  /// examples.
  Document document(Skill skill, std::uint64_t index, int examples = 8) const;

 private:
  const WordLists& m_lists;
  Split m_split;
  std::uint64_t m_seed;
};

}  // namespace equipatch
