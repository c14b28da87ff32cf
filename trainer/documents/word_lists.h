#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equipatch {

using Words = std::vector<std::string>;
using WordPairs = std::vector<std::pair<std::string, std::string>>;

/// Which texts a document may be made of. Nothing fresh (a name, a place, a rule) occurs
/// in both.
enum class Split { Training, HeldOut };

/// The split that a fresh thing belongs to, by a hash of its spelling: one in ten is held
/// out, whatever lists it stands in.
Split splitOf(std::string_view thing);

/// The pairs of each word of a group with the group's name: "plum", "fruit".
inline constexpr const char* kKinds = "kinds";

/// The vocabulary that documents are written with, read once from a folder of text files:
/// NAME.txt with an entry a line, pairs/NAME.txt with two entries a line and a tab
/// between, rhymes.txt with words that rhyme on a line. Immutable.
class WordLists {
 public:
  /// @throws Error{BadInput} naming the file that is missing, empty or ill-formed.
  static WordLists read(const std::filesystem::path& folder);

  /// By file name without ending, as in "groups/animal". An unknown name is a
  /// programmer's error: std::out_of_range, here and below.
  const Words& words(const std::string& name) const { return m_words.at(name); }
  /// Only those entries that belong to `split`.
  const Words& words(const std::string& name, Split split) const;
  const WordPairs& pairs(const std::string& name) const { return m_pairs.at(name); }
  const std::vector<Words>& rhymes() const { return m_rhymes; }

  Words groupNames() const;  ///< "groups/animal", …: words of one kind
  Words pairNames() const;   ///< "capitals", kKinds, …: words that belong together

 private:
  std::map<std::string, Words> m_words;
  std::map<std::string, Words> m_training;
  std::map<std::string, Words> m_heldOut;
  std::map<std::string, WordPairs> m_pairs;
  std::vector<Words> m_rhymes;
};

}  // namespace equipatch
