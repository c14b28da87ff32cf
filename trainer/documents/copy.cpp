// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/strings.h"
#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

Words randomWords(Material& material) {
  Words words;
  const int count = material.random().between(2, 7);
  const bool invented = material.random().chance(0.5);
  while (static_cast<int>(words.size()) < count) {
    const std::string word =
        invented ? material.inventedWord() : material.known("things");
    if (std::ranges::find(words, word) == words.end())
      words.push_back(word);
    else
      material.drawAgain();
  }
  return words;
}

struct Task {
  std::string order;
  Words answer;
};

Task randomTask(Words words, Random& random) {
  Words answer = words;
  switch (random.below(6)) {
    case 0:
      std::ranges::reverse(answer);
      return {"Say this backwards:", answer};
    case 1: {
      const std::string left = random.pick(words);
      std::erase(answer, left);
      return {"Repeat this without " + left + ":", answer};
    }
    case 2:
      answer.insert(answer.end(), words.begin(), words.end());
      return {"Repeat this twice:", answer};
    case 3:
      return {"Say only the first and the last word:", {words.front(), words.back()}};
    case 4:
      std::ranges::rotate(answer, answer.begin() + 1);
      return {"Move the first word to the end:", answer};
    default:
      return {"Repeat this:", answer};
  }
}

}  // namespace

Document writeCopy(Material& material) {
  const Words words = randomWords(material);
  const Task task = randomTask(words, material.random());
  Document document{.skill = Skill::Copy, .fresh = {joined(words, " ")}};
  return document.give(task.order + " " + joined(words, " ") + ". Answer:")
      .answer(" " + joined(task.answer, " "));
}

namespace {

Words randomKeys(Material& material, int count) {
  if (material.random().chance(0.5)) return material.names(count);
  return material.several("things", count);
}

std::string randomValue(Material& material, int kind) {
  Random& random = material.random();
  if (kind == 0) return std::to_string(random.between(10, 99));
  if (kind == 1) return material.known("groups/colour");
  if (kind == 2) return material.known("scenes");
  return material.inventedWord();
}

}  // namespace

Document writeRecall(Material& material) {
  static const Words kOpenings = {
      "Remember this list:", "Here is what I know:", "Keep in mind:"};
  static const Words kVerbs = {" is", " means", " =", ":"};
  Random& random = material.random();
  const Words keys = randomKeys(material, random.between(2, 8));
  const int kind = random.between(0, 3);
  const std::string verb = random.pick(kVerbs);
  Document document{.skill = Skill::Recall};
  WordPairs pairs;
  for (const std::string& key : keys)
    pairs.emplace_back(key, randomValue(material, kind));
  std::string list;
  for (const auto& [key, value] : pairs)
    list += (list.empty() ? " " : ", ") + key + verb + " " + value;
  document.fresh = {list};
  document.give(random.pick(kOpenings) + list + ".");
  random.shuffle(pairs);
  pairs.resize(static_cast<std::size_t>(material.questions(pairs.size())));
  for (const auto& [key, value] : pairs)
    document.give(" Which one belongs to " + key + "? Answer:").answer(" " + value);
  return document;
}

}  // namespace equipatch
