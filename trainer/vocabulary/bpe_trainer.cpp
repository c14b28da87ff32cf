// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vocabulary/bpe_trainer.h"

#include <set>
#include <string_view>

#include "core/base/strings.h"

namespace equipatch {
namespace {

std::vector<std::string> split(std::string_view piece) {
  std::vector<std::string> characters;
  while (!piece.empty()) {
    const std::size_t length = utf8Length(piece.front());
    characters.emplace_back(piece.substr(0, length));
    piece.remove_prefix(characters.back().size());
  }
  return characters;
}

struct Spelling {
  std::vector<std::string> parts;
  std::int64_t count = 0;
};

/// The current spelling of all pre-tokens, and the places of each adjacent pair.
class Corpus {
 public:
  explicit Corpus(const PieceCounts& pieces) {
    for (const auto& [piece, count] : pieces) {
      m_spellings.push_back({split(piece), count});
      enter(m_spellings.size() - 1);
    }
  }

  struct Candidate {
    Merge merge;
    std::int64_t count = 0;
  };

  Candidate mostFrequent() const {
    Candidate best;
    for (const auto& [merge, pair] : m_pairs)
      if (pair.count > best.count) best = {merge, pair.count};
    return best;
  }

  void apply(const Merge& merge) {
    const std::set<std::size_t> places = m_pairs.at(merge).spellings;
    for (const std::size_t index : places) {
      remove(index);
      join(m_spellings[index].parts, merge);
      enter(index);
    }
  }

 private:
  struct Pair {
    std::int64_t count = 0;
    std::set<std::size_t> spellings;
  };

  static void join(std::vector<std::string>& parts, const Merge& merge) {
    std::vector<std::string> joined;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool matches =
          i + 1 < parts.size() && parts[i] == merge.first && parts[i + 1] == merge.second;
      joined.push_back(matches ? merge.first + merge.second : parts[i]);
      if (matches) ++i;
    }
    parts = std::move(joined);
  }

  void enter(std::size_t index) {
    const Spelling& spelling = m_spellings[index];
    for (std::size_t i = 0; i + 1 < spelling.parts.size(); ++i) {
      Pair& pair = m_pairs[{spelling.parts[i], spelling.parts[i + 1]}];
      pair.count += spelling.count;
      pair.spellings.insert(index);
    }
  }

  void remove(std::size_t index) {
    const Spelling& spelling = m_spellings[index];
    for (std::size_t i = 0; i + 1 < spelling.parts.size(); ++i) {
      const auto found = m_pairs.find({spelling.parts[i], spelling.parts[i + 1]});
      found->second.spellings.erase(index);
      found->second.count -= spelling.count;
      // A pair that occurs twice in a word is erased at its second occurrence.
      if (found->second.count == 0) m_pairs.erase(found);
    }
  }

  std::vector<Spelling> m_spellings;
  std::map<Merge, Pair> m_pairs;
};

}  // namespace

std::vector<Merge> learnMerges(const PieceCounts& pieces, std::size_t count) {
  Corpus corpus(pieces);
  std::vector<Merge> merges;
  while (merges.size() < count) {
    const Corpus::Candidate best = corpus.mostFrequent();
    if (best.count < 2) break;
    corpus.apply(best.merge);
    merges.push_back(best.merge);
  }
  return merges;
}

std::vector<std::string> charactersOf(const PieceCounts& pieces) {
  std::set<std::string> characters;  // UTF-8 sorts as code points do
  for (const auto& [piece, count] : pieces)
    for (std::string& character : split(piece)) characters.insert(std::move(character));
  return {characters.begin(), characters.end()};
}

}  // namespace equipatch
