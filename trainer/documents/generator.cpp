// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/documents/generator.h"

#include <array>
#include <utility>

#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

/// Shares in per cent. The model learns invented rules most slowly; forecasts and stories
/// contain rare names. These three skills therefore have the largest shares.
constexpr std::array<std::pair<Skill, int>, kSkills> kShares = {{{Skill::Forecast, 20},
                                                                 {Skill::Rhyme, 6},
                                                                 {Skill::Story, 18},
                                                                 {Skill::Relation, 8},
                                                                 {Skill::Invented, 20},
                                                                 {Skill::Recall, 9},
                                                                 {Skill::Counting, 6},
                                                                 {Skill::Sum, 5},
                                                                 {Skill::Copy, 8}}};

Skill randomSkill(Random& random) {
  int rest = static_cast<int>(random.below(100));
  for (const auto& [skill, share] : kShares) {
    if (rest < share) return skill;
    rest -= share;
  }
  return Skill::Copy;
}

Document write(Skill skill, Material& material, int examples) {
  switch (skill) {
    case Skill::Forecast:
      return writeForecast(material);
    case Skill::Rhyme:
      return writeRhyme(material);
    case Skill::Story:
      return writeStory(material);
    case Skill::Relation:
      return writeRelation(material, examples);
    case Skill::Invented:
      return writeInventedRule(material, examples);
    case Skill::Recall:
      return writeRecall(material);
    case Skill::Counting:
      return writeCounting(material);
    case Skill::Sum:
      return writeSum(material);
    case Skill::Copy:
      return writeCopy(material);
  }
  return writeCopy(material);
}

/// If both splits share the words of the document's skill, the combination of the words
/// decides.
bool combinationBelongs(const Document& document, Split split) {
  if (document.skill == Skill::Forecast || document.skill == Skill::Rhyme ||
      document.skill == Skill::Story || document.skill == Skill::Invented)
    return true;  // `write` chose each fresh part from the split
  return splitOf(document.fresh.front()) == split;
}

Document writeFresh(Skill skill, Material material, int examples) {
  while (true) {
    Document document = write(skill, material, examples);
    if (combinationBelongs(document, material.split())) return document;
  }
}

}  // namespace

Document Generator::document(std::uint64_t index) const {
  Random random(m_seed, index);
  const Skill skill = randomSkill(random);
  const int examples = random.between(1, 12);
  return writeFresh(skill, Material(m_lists, m_split, random), examples);
}

Document Generator::document(Skill skill, std::uint64_t index, int examples) const {
  return writeFresh(skill, Material(m_lists, m_split, Random(m_seed, index)), examples);
}

}  // namespace equipatch
