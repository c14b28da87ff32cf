// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/documents/word_lists.h"

#include <cstdint>
#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/paths.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

Words readLines(const fs::path& path) {
  std::ifstream stream(path);
  Words lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();  // a line end of Windows
    if (!line.empty()) lines.push_back(line);
  }
  if (!stream.is_open() || stream.bad())
    throw badInput(path.string() +
                   ": expected a list of words, found a file that cannot be read; is it "
                   "a folder, or may this user not read it?");
  if (lines.empty())
    throw badInput(path.string() +
                   ": expected one word per line, found none; is this the folder of the "
                   "trainer's words?");
  return lines;
}

WordPairs readPairs(const fs::path& path) {
  WordPairs pairs;
  for (const std::string& line : readLines(path)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos)
      throw badInput(path.string() + ": expected two words separated by a tab, found " +
                     inQuotes(line));
    pairs.emplace_back(line.substr(0, tab), line.substr(tab + 1));
  }
  return pairs;
}

std::vector<Words> readRhymes(const fs::path& path) {
  std::vector<Words> groups;
  for (const std::string& line : readLines(path)) {
    std::istringstream words(line);
    groups.emplace_back();
    for (std::string word; words >> word;) groups.back().push_back(word);
    if (groups.back().size() < 2)
      throw badInput(path.string() + ": expected words that rhyme, found only " +
                     inQuotes(line));
  }
  return groups;
}

std::vector<fs::path> textFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::recursive_directory_iterator at(folder, failure);
       !failure && at != fs::recursive_directory_iterator(); at.increment(failure))
    if (at->path().extension() == ".txt") files.push_back(at->path());
  if (failure && !isAbsent(folder))
    throw badInput(folder.string() +
                   ": expected a folder of word lists, found one that cannot be read as "
                   "a whole (" +
                   failure.message() + "); may this user read it and its folders?");
  if (files.empty())
    throw badInput(folder.string() + ": expected a folder of word lists, found no .txt");
  return files;
}

/// Pairs each word of a group with the group's name. A word of two groups is paired with
/// the group whose name is first in the alphabet.
WordPairs kindsOf(const std::map<std::string, Words>& lists) {
  const std::string prefix = "groups/";
  std::map<std::string, std::string> kinds;
  for (const auto& [name, words] : lists)
    if (name.starts_with(prefix))
      for (const std::string& word : words)
        kinds.emplace(word, name.substr(prefix.size()));
  return {kinds.begin(), kinds.end()};
}

Error missingList(const fs::path& folder, const std::string& name) {
  return badInput((folder / (name + ".txt")).string() +
                  ": the list is missing; is this the folder of the trainer's words?");
}

template <typename Map>
Words keysBelow(const Map& map, const std::string& prefix) {
  Words keys;
  for (const auto& [key, value] : map)
    if (key.starts_with(prefix)) keys.push_back(key);
  return keys;
}

}  // namespace

Split splitOf(std::string_view thing) {
  return (fnv1a(thing) >> 32) % 10 == 0 ? Split::HeldOut : Split::Training;
}

WordLists WordLists::read(const fs::path& folder) {
  WordLists lists;
  lists.m_folder = folder;
  for (const fs::path& path : textFiles(folder)) {
    const std::string name =
        path.lexically_relative(folder).replace_extension().generic_string();
    if (name == "rhymes")
      lists.m_rhymes = readRhymes(path);
    else if (name.starts_with("pairs/"))
      lists.m_pairs[name.substr(6)] = readPairs(path);
    else
      lists.m_words[name] = readLines(path);
  }
  lists.m_pairs[kKinds] = kindsOf(lists.m_words);
  for (const auto& [name, words] : lists.m_words)
    for (const std::string& word : words)
      (splitOf(word) == Split::HeldOut ? lists.m_heldOut : lists.m_training)[name]
          .push_back(word);
  return lists;
}

const Words& WordLists::words(const std::string& name) const {
  const auto found = m_words.find(name);
  if (found == m_words.end()) throw missingList(m_folder, name);
  return found->second;
}

const Words& WordLists::words(const std::string& name, Split split) const {
  const auto& lists = split == Split::HeldOut ? m_heldOut : m_training;
  if (const auto found = lists.find(name); found != lists.end()) return found->second;
  if (!m_words.contains(name)) throw missingList(m_folder, name);
  throw badInput((m_folder / (name + ".txt")).string() + ": none of the " +
                 std::to_string(m_words.at(name).size()) + " entries is " +
                 (split == Split::HeldOut ? "held out" : "for training") +
                 "; add more entries");
}

const WordPairs& WordLists::pairs(const std::string& name) const {
  const auto found = m_pairs.find(name);
  if (found == m_pairs.end()) throw missingList(m_folder, "pairs/" + name);
  return found->second;
}

const std::vector<Words>& WordLists::rhymes() const {
  if (m_rhymes.empty()) throw missingList(m_folder, "rhymes");
  return m_rhymes;
}

Words WordLists::groupNames() const {
  Words names = keysBelow(m_words, "groups/");
  if (names.empty()) throw missingList(m_folder, "groups/animal");
  return names;
}

Words WordLists::pairNames() const {
  return keysBelow(m_pairs, "");
}

}  // namespace equipatch
