// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/documents/skills.h"

namespace equipatch {
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
