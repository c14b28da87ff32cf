// SPDX-License-Identifier: GPL-3.0-or-later
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

/// No two documents of different splits are about the same name, place or character. In
/// other roles, both splits use the same words: a held-out place may be the capital in a
/// known relation.
enum class Split { Training, HeldOut };

/// The split of a name, place, character, rule or other random part of a document, by a
/// hash of its spelling: one in ten is held out.
Split splitOf(std::string_view thing);

/// The name of a list of pairs. Each pair is a word and its group: "plum", "fruit".
inline constexpr const char* kKinds = "kinds";

/// The words of the documents, read from a folder of text files: NAME.txt with one entry
/// per line, pairs/NAME.txt with two entries per line separated by a tab, rhymes.txt with
/// words that rhyme on each line. Immutable.
class WordLists {
 public:
  /// @throws Error{BadInput} naming the folder without lists, or the file that is empty
  /// or ill-formed. A missing list is an error only when the functions below request it.
  static WordLists read(const std::filesystem::path& folder);

  /// The entries of a list, which is named as its file without the ending:
  /// "groups/animal". This and the next three throw Error{BadInput} naming the file of
  /// the list if the folder does not have it.
  const Words& words(const std::string& name) const;
  /// Those entries of a list that belong to `split`. @throws Error{BadInput} also if
  /// there are none.
  const Words& words(const std::string& name, Split split) const;
  const WordPairs& pairs(const std::string& name) const;
  const std::vector<Words>& rhymes() const;

  /// "groups/animal", …: lists of words of one kind. @throws Error{BadInput} if there are
  /// none.
  Words groupNames() const;
  Words pairNames() const;  ///< "capitals", kKinds, …: lists of pairs

 private:
  std::filesystem::path m_folder;
  std::map<std::string, Words> m_words;
  std::map<std::string, Words> m_training;
  std::map<std::string, Words> m_heldOut;
  std::map<std::string, WordPairs> m_pairs;
  std::vector<Words> m_rhymes;
};

}  // namespace equipatch
