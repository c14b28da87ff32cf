#include <algorithm>

#include "core/base/strings.h"
#include "trainer/documents/example_list.h"
#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

/// Kinds come most often: who knows that a plum is a fruit finds rules about fruits.
std::string pickRelation(Material& material) {
  if (material.random().chance(0.4)) return kKinds;
  Words names = material.lists().pairNames();
  std::erase(names, "calls");
  return material.random().pick(names);
}

}  // namespace

Document writeRelation(Material& material, int examples) {
  Random& random = material.random();
  const std::string relation = pickRelation(material);
  WordPairs pairs = material.lists().pairs(relation);
  random.shuffle(pairs);
  const bool backwards = relation != kKinds && random.chance(0.25);
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
