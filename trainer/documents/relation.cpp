#include <algorithm>

#include "trainer/documents/example_list.h"
#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

const WordPairs& pickRelation(Material& material) {
  Words names = material.lists().pairNames();
  std::erase(names, "calls");
  return material.lists().pairs(material.random().pick(names));
}

}  // namespace

Document writeRelation(Material& material, int examples) {
  Random& random = material.random();
  WordPairs pairs = pickRelation(material);
  random.shuffle(pairs);
  const bool backwards = random.chance(0.25);
  Document document{.skill = Skill::Relation, .examples = examples};
  ExampleList list(document, random);
  for (int i = 0; i <= examples; ++i) {
    const auto& [left, right] = pairs[static_cast<std::size_t>(i)];
    list.add(backwards ? right : left, backwards ? left : right, i == examples);
    document.fresh.push_back(left);
  }
  // The pairs themselves are knowledge; what is fresh is which of them stand together.
  document.fresh = {joined(document.fresh, " ")};
  return document;
}

}  // namespace equipatch
