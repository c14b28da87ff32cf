#include "trainer/documents/skills.h"

namespace equipatch {

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
