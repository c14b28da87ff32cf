// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/stop_check.h"
#include "core/text/pipeline/flat_map.h"

namespace equipatch {

/// An Aho-Corasick automaton: reads a text byte by byte and tells after each byte which
/// phrases of a set end there, in time linear in the text and the phrases found.
class PhraseAutomaton {
 public:
  static constexpr std::uint32_t kStart = 0;  ///< the state before a text
  static constexpr std::uint32_t kNoPhrase = ~std::uint32_t{0};

  /// Adds a phrase, which must not be empty. Of equal phrases, only the first counts.
  void insert(std::string_view phrase, std::uint32_t number);
  /// Call this once, after the last `insert` and before reading a text.
  /// @throws Error{Cancelled} soon after a stop request.
  void link(StopCheck& steps);

  std::uint32_t step(std::uint32_t state, char byte) const;
  /// The state of the longest phrase that ends at `state`, or kStart.
  std::uint32_t longest(std::uint32_t state) const {
    return m_nodes[state].phrase == kNoPhrase ? m_nodes[state].shorter : state;
  }
  /// The state of the next shorter phrase that ends at the same byte, or kStart.
  /// @param state from `longest` or `shorter`
  std::uint32_t shorter(std::uint32_t state) const { return m_nodes[state].shorter; }
  /// @param state from `longest` or `shorter`, not kStart
  std::uint32_t phraseOf(std::uint32_t state) const { return m_nodes[state].phrase; }
  bool isEmpty() const { return m_nodes.size() == 1; }

 private:
  struct Node {
    std::uint32_t suffix = kStart;     ///< the longest proper suffix that is a node
    std::uint32_t shorter = kStart;    ///< the longest proper suffix that is a phrase
    std::uint32_t phrase = kNoPhrase;  ///< number of the phrase that ends here
  };

  static std::uint64_t keyOf(std::uint32_t node, char byte) {
    return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
  }
  std::vector<std::uint32_t> shallowFirst() const;

  std::vector<Node> m_nodes{Node{}};
  FlatMap<std::uint32_t> m_children;  ///< by node and byte
  /// Entry node - 1: the node's parent and the byte from the parent to the node. Empty
  /// after `link`.
  std::vector<std::pair<std::uint32_t, char>> m_parents;
};

}  // namespace equipatch
