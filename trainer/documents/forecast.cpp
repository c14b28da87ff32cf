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
  std::string tone;     ///< "dark", "bright" or "plain": decides the sentence's end
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

/// Puts a character's typical call before its words, if it has one.
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

}  // namespace equipatch
