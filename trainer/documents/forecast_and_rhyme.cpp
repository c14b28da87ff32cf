// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "trainer/documents/skills.h"

namespace equipatch {
namespace {

struct Scene {
  std::string place;
  std::string mood;
  std::string character;
  std::string speaker;  ///< "a grumpy pirate"
  std::string tone;     ///< "dark", "bright" or "plain": for the mood and the ending
};

Scene randomScene(Material& material) {
  static const Words kTones = {"dark", "bright", "plain"};
  Scene scene;
  scene.tone = material.random().pick(kTones);
  scene.place = material.place();
  scene.mood = material.known("moods/" + scene.tone);
  scene.character = material.character();
  scene.speaker = withArticle(scene.mood + " " + scene.character);
  return scene;
}

std::string ask(const Scene& scene, Random& random) {
  const std::string& speaker = scene.speaker;
  switch (random.below(6)) {
    case 0:
      return "Write a one-sentence weather forecast for " + scene.place +
             " in the voice of " + speaker + ".";
    case 1:
      return "What will the weather be like in " + scene.place + "? Answer as " +
             speaker + ".";
    case 2:
      return "You are " + speaker + ". Give a one-sentence weather forecast for " +
             scene.place + ".";
    default:
      return "Give a one-sentence weather forecast for " + scene.place +
             " from the perspective of " + speaker + ".";
  }
}

std::string sentence(const Scene& scene, Material& material) {
  const std::string first = material.known("forecast/weather");
  std::string weather = first;
  if (material.random().chance(0.6))
    weather += " and " + material.known("forecast/weather");
  const std::string when = material.known("forecast/times");
  const std::string end =
      ", " + material.known("forecast/" + scene.tone + "_endings") + ".";
  const std::string who = scene.mood + " " + scene.character;
  switch (material.random().below(4)) {
    case 0:
      return "As " + scene.speaker + ", I expect " + weather + " over " + scene.place +
             " " + when + end;
    case 1:
      return "This " + who + " tells you that " + scene.place + " will have " + weather +
             " " + when + end;
    case 2:
      return "Believe " + scene.speaker + ", there will be " + weather + " in " +
             scene.place + " " + when + end;
    default:
      return "The weather in " + scene.place + " " + when + " will bring " + weather +
             ", says this " + who + end;
  }
}

/// Puts the character's typical call ("Buzz") before `words`, if the character has one.
std::string withCall(const std::string& character, std::string words,
                     const WordPairs& calls) {
  const auto call = std::ranges::find(calls, character, &WordPairs::value_type::first);
  if (call == calls.end()) return words;
  words.front() = static_cast<char>(words.front() - 'A' + 'a');
  return call->second + ", " + words;
}

}  // namespace

Document writeForecast(Material& material) {
  const Scene scene = randomScene(material);
  Document document{.skill = Skill::Forecast,
                    .mentions = {scene.place, scene.character},
                    .fresh = {scene.place, scene.character}};
  const std::string words = sentence(scene, material);
  return document.give(ask(scene, material.random()))
      .answer("\n" + withCall(scene.character, words, material.lists().pairs("calls")));
}

namespace {

std::string firstLine(const std::string& name, const std::string& thing, Random& random) {
  static const Words kAdjectives = {"Little", "Clever", "Sleepy", "Funny", "Brave",
                                    "Gentle", "Hungry", "Happy",  "Lucky", "Merry"};
  static const Words kDeeds = {"went to find",   "sat beside",    "dreamed about",
                               "told us about",  "looked behind", "always liked",
                               "would not sell", "sang about"};
  const std::string& deed = random.pick(kDeeds);
  return random.pick(kAdjectives) + " " + name + " " + deed + " the " + thing;
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
  document.give(random.pick(kRequests) + name + " and the " + group[0] + ".");
  const std::string second = secondLine(random) + group[1];
  const std::string first = firstLine(name, group[0], random);
  return document.answer("\n" + first + ",\n" + second + ".");
}

}  // namespace equipatch
