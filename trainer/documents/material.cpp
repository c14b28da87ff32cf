// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/documents/material.h"

#include <algorithm>
#include <string_view>

#include "core/base/error.h"

namespace equipatch {
namespace {

constexpr std::string_view kVowels = "aeiou";

std::string syllable(Random& random) {
  static const Words kOnsets = {"b",  "d",  "f",  "g",  "h",  "j",  "k",  "l",  "m",
                                "n",  "p",  "r",  "s",  "t",  "v",  "w",  "z",  "br",
                                "dr", "gl", "kr", "pl", "sk", "st", "tr", "sh", "th"};
  static const Words kCodas = {"", "", "", "n", "r", "l", "s", "k", "m", "p", "x", "nd"};
  // One draw per statement, here and elsewhere: the order in which operands and arguments
  // are evaluated depends on the compiler.
  const std::string& coda = random.pick(kCodas);
  const char vowel = kVowels[random.below(kVowels.size())];
  return random.pick(kOnsets) + vowel + coda;
}

/// Replaces, inserts or removes one letter, never the first of a word.
std::string misspelt(std::string words, Random& random) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i] >= 'a' && words[i] <= 'z' && words[i - 1] != ' ') places.push_back(i);
  if (places.empty()) return words;
  const std::size_t place = random.pick(places);
  const char letter = static_cast<char>('a' + random.below(26));
  switch (random.below(3)) {
    case 0:
      words[place] = letter;
      break;
    case 1:
      words.insert(place, 1, letter);
      break;
    default:
      words.erase(place, 1);
  }
  return words;
}

}  // namespace

Words Material::several(const std::string& list, int count) {
  Words all = m_lists.words(list);
  m_random.shuffle(all);
  all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
  return all;
}

std::string Material::inventedWord() {
  while (true) {
    std::string word = syllable(m_random);
    for (int more = m_random.between(0, 1); more > 0; --more) word += syllable(m_random);
    if (splitOf(word) == m_split) return word;
  }
}

std::string Material::freshOrInvented(const std::string& list, double inventedShare) {
  if (!m_random.chance(inventedShare)) return perhapsMisspelt(fresh(list));
  while (true) {
    std::string word = capitalised(inventedWord());
    if (splitOf(word) == m_split) return word;
  }
}

/// Misspelt training words teach the model to copy the prompt's spelling instead of
/// completing a word that the model knows.
std::string Material::perhapsMisspelt(std::string words) {
  if (m_split == Split::HeldOut || !m_random.chance(0.4)) return words;
  while (true) {
    std::string changed = misspelt(words, m_random);
    if (m_random.chance(0.5)) changed = misspelt(std::move(changed), m_random);
    if (splitOf(changed) == m_split) return changed;
  }
}

std::string Material::character() {
  return perhapsMisspelt(fresh("characters"));
}

std::string Material::name() {
  return freshOrInvented("names", 0.3);
}

std::string Material::place() {
  return freshOrInvented("places", 0.4);
}

Words Material::names(int count) {
  Words names;
  while (static_cast<int>(names.size()) < count)
    if (const std::string one = name(); std::ranges::find(names, one) == names.end())
      names.push_back(one);
  return names;
}

void Material::drawAgain() {
  constexpr int kMost = 10'000;
  if (++m_drawnAgain > kMost)
    throw badInput(
        "the lists of words have too few different words for a document; add entries to "
        "things.txt and to the lists in groups");
}

int Material::questions(std::size_t things) {
  if (m_split == Split::HeldOut) return 1;
  return m_random.between(1, static_cast<int>(std::min<std::size_t>(things, 4)));
}

std::string withArticle(const std::string& noun) {
  const bool vowel = kVowels.find(noun.front()) != std::string_view::npos;
  return (vowel && !noun.starts_with("uni") ? "an " : "a ") + noun;
}

std::string capitalised(std::string word) {
  if (word.front() >= 'a' && word.front() <= 'z')
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
  return word;
}

}  // namespace equipatch
