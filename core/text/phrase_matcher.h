#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/flat_map.h"
#include "core/text/token.h"

namespace equipatch {

/// Finds a fixed set of phrases in a text, in time linear in the text however many and
/// long they are: an Aho-Corasick automaton of the reversed phrases, run from the end of
/// the text to its start, knows at every byte the longest phrase that starts there.
class PhraseMatcher {
 public:
  struct Match {
    ByteSpan range;
    std::size_t phrase = 0;  ///< index in the order given
  };

  /// Empty phrases never match; of equal phrases the first does.
  explicit PhraseMatcher(const std::vector<std::string>& phrases);

  /// Matches that do not overlap: the leftmost, and of those the longest, again and
  /// again.
  std::vector<Match> matches(std::string_view text) const;

 private:
  static constexpr std::uint32_t kRoot = 0;
  static constexpr std::uint32_t kNoPhrase = ~std::uint32_t{0};

  struct Node {
    std::uint32_t suffix = kRoot;      ///< the longest proper suffix that is a node
    std::uint32_t phrase = kNoPhrase;  ///< the longest phrase that ends here
  };

  void insert(std::string_view phrase, std::size_t index);
  void linkSuffixes();
  const std::uint32_t* child(std::uint32_t node, char byte) const;
  std::uint32_t step(std::uint32_t node, char byte) const;

  std::vector<std::size_t> m_lengths;  ///< of the phrases
  std::vector<Node> m_nodes;
  FlatMap<std::uint32_t> m_children;                      ///< by node and byte
  std::vector<std::pair<std::uint32_t, char>> m_parents;  ///< of every node, as inserted
};

}  // namespace equipatch
