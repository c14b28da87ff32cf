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
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
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

}  // namespace equipatch
