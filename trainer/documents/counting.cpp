#include <algorithm>

#include "core/base/strings.h"
#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

Document countWords(Material& material) {
  Random& random = material.random();
  const Words kinds =
      material.several(random.pick(material.lists().groupNames()), random.between(1, 3));
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

}  // namespace equipatch
