// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

std::string firstLine(const std::string& name, const std::string& thing, Random& random) {
  static const Words kAdjectives = {"Little", "Clever", "Sleepy", "Funny", "Brave",
                                    "Gentle", "Hungry", "Happy",  "Lucky", "Merry"};
  static const Words kDeeds = {"went to find",   "sat beside",    "dreamed about",
                               "told us about",  "looked behind", "always liked",
                               "would not sell", "sang about"};
  return random.pick(kAdjectives) + " " + name + " " + random.pick(kDeeds) + " the " +
         thing;
}

std::string secondLine(Random& random) {
  static const Words kDeeds = {"and wrote a letter to",   "then ran away and took",
                               "and had a laugh about",   "and hurried home to get",
                               "then fell asleep beside", "and never more forgot",
                               "and only wanted to see",  "then drew a picture of"};
  return random.pick(kDeeds) + " the ";
}

}  // namespace

Document writeRhyme(Material& material) {
  static const Words kRequests = {"Write a rhyme about ",
                                  "Write two lines that rhyme about ",
                                  "Make a short poem for "};
  Random& random = material.random();
  const std::string name = material.name();
  Words group = random.pick(material.lists().rhymes());
  random.shuffle(group);
  Document document{.skill = Skill::Rhyme, .mentions = {name, group[0]}, .fresh = {name}};
  return document.give(random.pick(kRequests) + name + " and the " + group[0] + ".")
      .answer("\n" + firstLine(name, group[0], random) + ",\n" + secondLine(random) +
              group[1] + ".");
}

}  // namespace equipatch
