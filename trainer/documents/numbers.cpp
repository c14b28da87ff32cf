// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/strings.h"
#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

Document countWords(Material& material) {
  Random& random = material.random();
  const int most = random.between(1, 3);
  const Words kinds = material.several(random.pick(material.lists().groupNames()), most);
  Words row;
  for (int i = random.between(1, 10); i > 0; --i) row.push_back(random.pick(kinds));
  const std::string& counted = random.pick(row);
  const auto count = std::ranges::count(row, counted);
  Document document{.skill = Skill::Counting, .fresh = {joined(row, " ")}};
  return document
      .give("How often does the word " + counted + " occur here? " + joined(row, " ") +
            ". Answer:")
      .answer(" " + std::to_string(count));
}

Document countAlong(Material& material) {
  Random& random = material.random();
  const int from = random.between(0, 30);
  const int to = from + random.between(2, 8);
  const bool down = random.chance(0.3);
  std::string numbers;
  for (int i = from; i <= to; ++i)
    numbers += " " + std::to_string(down ? to - (i - from) : i);
  const std::string asked = "from " + std::to_string(down ? to : from) + " to " +
                            std::to_string(down ? from : to);
  Document document{.skill = Skill::Counting, .fresh = {asked}};
  return document.give("Count " + asked + ". Answer:").answer(numbers);
}

}  // namespace

Document writeCounting(Material& material) {
  return material.random().chance(0.7) ? countWords(material) : countAlong(material);
}

Document writeSum(Material& material) {
  static const Words kGoods = {"apples", "coins", "books",   "stones", "eggs",
                               "cakes",  "pears", "marbles", "stamps", "shells"};
  Random& random = material.random();
  const Words names = material.names(2);
  const std::string goods = random.pick(kGoods);
  const int has = random.between(1, 12);
  const bool gains = random.chance(0.6);
  const int change = gains ? random.between(1, 9) : random.between(1, has);
  const std::string story = names[0] + " has " + std::to_string(has) + " " + goods +
                            ". " + names[1] + (gains ? " gives " : " takes ") +
                            std::to_string(change) +
                            (gains ? " more to " : " of them from ") + names[0] + ". ";
  Document document{.skill = Skill::Sum, .fresh = {story}};
  return document
      .give(story + "How many " + goods + " does " + names[0] + " have now? Answer:")
      .answer(" " + std::to_string(gains ? has + change : has - change));
}

}  // namespace equipatch
