#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

Words drawKeys(Material& material, int count) {
  if (material.random().chance(0.5)) return material.names(count);
  return material.several("things", count);
}

std::string drawValue(Material& material, int kind) {
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
  const Words keys = drawKeys(material, random.between(2, 8));
  const int kind = random.between(0, 3);
  const std::string verb = random.pick(kVerbs);
  const std::size_t asked = random.below(keys.size());
  Document document{.skill = Skill::Recall};
  std::string list;
  std::string answer;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string value = drawValue(material, kind);
    list += (i == 0 ? " " : ", ") + keys[i] + verb + " " + value;
    if (i == asked) answer = value;
  }
  document.fresh = {list};
  return document
      .give(random.pick(kOpenings) + list + ". Which one belongs to " + keys[asked] +
            "? Answer:")
      .answer(" " + answer);
}

}  // namespace equipatch
