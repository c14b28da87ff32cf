// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/scenes/questions.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

namespace equipatch {
namespace {

using Questions = std::vector<Question>;

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

/// "red square", "number"
std::string nameOf(const Thing& thing) {
  if (thing.shape == Shape::Number) return "number";
  return joined({colourName(thing.colour), " ", shapeName(thing.shape)});
}

/// "a red square", "an orange ring", "the number 47"
std::string indefinite(const Thing& thing, std::string_view size = "") {
  if (thing.shape == Shape::Number)
    return joined({"the number ", std::to_string(thing.value)});
  const bool isVowel = size.empty() && thing.colour == Colour::Orange;
  return joined({isVowel ? "an " : "a ", size, nameOf(thing)});
}

std::string_view sizeWord(const Thing& thing) {
  constexpr std::array<std::string_view, kSizes> kWords = {"small ", "", "large "};
  return thing.shape == Shape::Number ? "" : kWords[static_cast<std::size_t>(thing.size)];
}

std::vector<Thing> shapesOf(const Scene& scene) {
  std::vector<Thing> shapes;
  for (const Thing& thing : scene.things)
    if (thing.shape != Shape::Number) shapes.push_back(thing);
  return shapes;
}

bool isUniquelyNamed(const Thing& thing, const Scene& scene) {
  return std::ranges::count(scene.things, nameOf(thing), nameOf) == 1;
}

/// The nearest thing in the direction (rows, columns), or null.
const Thing* neighbour(const Scene& scene, const Thing& thing, int rows, int columns) {
  int row = thing.row() + rows, column = thing.column() + columns;
  while (row >= 0 && row < kPlacesPerRow && column >= 0 && column < kPlacesPerRow) {
    if (const Thing* found = scene.at(row * kPlacesPerRow + column)) return found;
    row += rows;
    column += columns;
  }
  return nullptr;
}

Questions describe(const Scene& scene) {
  std::string answer;
  for (const Thing& thing : scene.things)
    answer += joined({answer.empty() ? " " : ", ", placeName(thing.place), " ",
                      indefinite(thing, sizeWord(thing))});
  return {{QuestionKind::Describe, "Describe the picture.", joined({answer, "."})}};
}

Questions neighbours(const Scene& scene) {
  constexpr std::array<std::pair<std::string_view, std::array<int, 2>>, 4> kSides = {
      {{"left of", {0, -1}},
       {"right of", {0, 1}},
       {"above", {-1, 0}},
       {"below", {1, 0}}}};
  Questions questions;
  for (const Thing& thing : scene.things)
    for (const auto& [side, step] : kSides)
      if (const Thing* other = neighbour(scene, thing, step[0], step[1]);
          other && isUniquelyNamed(thing, scene))
        questions.push_back({QuestionKind::Neighbour,
                             joined({"What stands ", side, " the ", nameOf(thing), "?"}),
                             joined({" ", indefinite(*other)})});
  return questions;
}

/// Draws an answer first and returns only the questions with this answer. If a question
/// were drawn directly, most answers would be 0.
Questions counts(const Scene& scene, Random& random) {
  std::map<std::size_t, Questions> byNumber;
  const std::vector<Thing> shapes = shapesOf(scene);
  const auto add = [&](const std::string& what, std::size_t number) {
    byNumber[number].push_back({QuestionKind::Count,
                                joined({"How many ", what, " are there?"}),
                                joined({" ", std::to_string(number)})});
  };
  add("shapes", shapes.size());
  for (int i = 0; i < kShapes; ++i) {
    const auto shape = static_cast<Shape>(i);
    add(joined({shapeName(shape), shape == Shape::Cross ? "es" : "s"}),
        static_cast<std::size_t>(std::ranges::count(shapes, shape, &Thing::shape)));
  }
  for (int i = 0; i < kColours; ++i) {
    const auto colour = static_cast<Colour>(i);
    add(joined({colourName(colour), " shapes"}),
        static_cast<std::size_t>(std::ranges::count(shapes, colour, &Thing::colour)));
  }
  return std::next(byNumber.begin(),
                   static_cast<std::ptrdiff_t>(random.below(byNumber.size())))
      ->second;
}

Questions extremes(const Scene& scene) {
  Questions questions;
  const std::vector<Thing> shapes = shapesOf(scene);
  if (shapes.size() < 2) return {};
  const auto [smallest, largest] = std::ranges::minmax(shapes, {}, &Thing::size);
  for (const auto& [word, thing] :
       {std::pair<std::string, Thing>{"smallest", smallest}, {"largest", largest}})
    if (std::ranges::count(shapes, thing.size, &Thing::size) == 1)
      questions.push_back({QuestionKind::Extreme,
                           joined({"What colour is the ", word, " shape?"}),
                           joined({" ", colourName(thing.colour)})});
  return questions;
}

Questions reading(const Scene& scene) {
  for (const Thing& thing : scene.things)
    if (thing.shape == Shape::Number)
      return {{QuestionKind::Read, "Read the number.",
               joined({" ", std::to_string(thing.value)})}};
  return {};
}

Questions colours(const Scene& scene) {
  Questions questions;
  for (const Thing& thing : scene.things)
    if (std::ranges::count(scene.things, thing.shape, &Thing::shape) == 1)
      questions.push_back({QuestionKind::Colour,
                           joined({"What colour is the ", shapeName(thing.shape), "?"}),
                           joined({" ", colourName(thing.colour)})});
  return questions;
}

Questions shapes(const Scene& scene) {
  Questions questions;
  for (const Thing& thing : scene.things)
    if (std::ranges::count(scene.things, thing.colour, &Thing::colour) == 1)
      questions.push_back({QuestionKind::Shape,
                           joined({"What is ", colourName(thing.colour), "?"}),
                           joined({" the ", shapeName(thing.shape)})});
  return questions;
}

Questions places(const Scene& scene) {
  Questions questions;
  for (const Thing& thing : scene.things)
    if (isUniquelyNamed(thing, scene))
      questions.push_back({QuestionKind::Place,
                           joined({"Where is the ", nameOf(thing), "?"}),
                           joined({" ", placeName(thing.place)})});
  return questions;
}

Questions contents(const Scene& scene, Random& random) {
  constexpr double kEmpty = 0.2;
  constexpr int kMiddle = kPlaces / 2;
  const bool wantsEmpty = random.chance(kEmpty);
  Questions questions;
  for (int place = 0; place < kPlaces; ++place)
    if (const Thing* thing = scene.at(place); (thing == nullptr) == wantsEmpty)
      questions.push_back(
          {QuestionKind::At,
           joined({"What is ", place == kMiddle ? "in" : "at", " the ", placeName(place),
                   "?"}),
           joined({" ", thing ? indefinite(*thing, sizeWord(*thing)) : "nothing"})});
  return questions;
}

Questions allOf(QuestionKind kind, const Scene& scene, Random& random) {
  switch (kind) {
    case QuestionKind::Describe:
      return describe(scene);
    case QuestionKind::Neighbour:
      return neighbours(scene);
    case QuestionKind::Count:
      return counts(scene, random);
    case QuestionKind::Extreme:
      return extremes(scene);
    case QuestionKind::Read:
      return reading(scene);
    case QuestionKind::Colour:
      return colours(scene);
    case QuestionKind::Shape:
      return shapes(scene);
    case QuestionKind::Place:
      return places(scene);
    case QuestionKind::At:
      return contents(scene, random);
  }
  return {};
}

}  // namespace

std::optional<Question> ask(QuestionKind kind, const Scene& scene, Random& random) {
  const Questions questions = allOf(kind, scene, random);
  if (questions.empty()) return std::nullopt;
  return random.pick(questions);
}

Question askAnything(const Scene& scene, Random& random) {
  // Shares in per cent. Neighbours and counts have the largest shares because the model
  // learns them most slowly.
  constexpr std::array<std::pair<QuestionKind, int>, kQuestionKinds - 1> kShares = {
      {{QuestionKind::Neighbour, 32},
       {QuestionKind::Count, 22},
       {QuestionKind::Extreme, 12},
       {QuestionKind::Read, 10},
       {QuestionKind::Colour, 6},
       {QuestionKind::Shape, 4},
       {QuestionKind::Place, 6},
       {QuestionKind::At, 8}}};
  while (true) {
    int rest = random.between(0, 99);
    for (const auto& [kind, share] : kShares) {
      if (rest < share) {
        if (auto question = ask(kind, scene, random)) return *question;
        break;
      }
      rest -= share;
    }
  }
}

}  // namespace equipatch
