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

/// Documents of different splits are never about the same name, place or character. In
/// other roles, both splits use the same words: a held-out place may be the capital in a
/// training document's relation.
enum class Split { Training, HeldOut };

/// The split of a random part of a document, such as a name or a rule, by a hash of its
/// spelling: one in ten is held out.
Split splitOf(std::string_view thing);

/// The name of the list of pairs of a word and its group, such as "plum" and "fruit".
inline constexpr const char* kKinds = "kinds";

/// The words of the documents, read from a folder of text files: NAME.txt with one entry
/// per line, pairs/NAME.txt with two entries per line separated by a tab, rhymes.txt with
/// rhyming words on each line. Immutable.
class WordLists {
 public:
  /// @throws Error{BadInput} naming the folder without lists, or the unreadable, empty or
  /// ill-formed file. A missing list is an error only in the functions below.
  static WordLists read(const std::filesystem::path& folder);

  /// The entries of the list `name`, its file's path without ".txt": "groups/animal".
  /// The functions from here to `rhymes` throw Error{BadInput} naming the list's file if
  /// it is missing.
  const Words& words(const std::string& name) const;
  /// The entries that belong to `split`. @throws Error{BadInput} also if there are none.
  const Words& words(const std::string& name, Split split) const;
  const WordPairs& pairs(const std::string& name) const;
  const std::vector<Words>& rhymes() const;

  /// "groups/animal", … @throws Error{BadInput} if there are none.
  Words groupNames() const;
  Words pairNames() const;  ///< "capitals", kKinds, …

 private:
  std::filesystem::path m_folder;
  std::map<std::string, Words> m_words;
  std::map<std::string, Words> m_training;
  std::map<std::string, Words> m_heldOut;
  std::map<std::string, WordPairs> m_pairs;
  std::vector<Words> m_rhymes;
};

}  // namespace equipatch
