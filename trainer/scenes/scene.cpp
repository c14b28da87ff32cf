// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/scenes/scene.h"

#include <algorithm>
#include <numeric>

namespace equipatch {
namespace {

constexpr double kNumberShare = 0.6;  // share of the scenes that have a number
// Probabilities that a thing copies an earlier thing's shape or colour, so that there is
// something to count.
constexpr double kSameShape = 0.35;
constexpr double kSameColour = 0.25;

template <typename Kind>
Kind randomOf(Random& random, int count) {
  return static_cast<Kind>(random.below(static_cast<std::size_t>(count)));
}

Thing randomShape(Random& random, const std::vector<Thing>& before) {
  Thing thing{.shape = randomOf<Shape>(random, kShapes),
              .colour = randomOf<Colour>(random, kColours),
              .size = randomOf<Size>(random, kSizes)};
  if (before.empty()) return thing;
  const Thing& other = random.pick(before);
  if (random.chance(kSameShape)) thing.shape = other.shape;
  if (random.chance(kSameColour)) thing.colour = other.colour;
  return thing;
}

Thing randomNumber(Random& random) {
  constexpr double kOneDigit = 0.15;
  return {
      .shape = Shape::Number,
      .colour = randomOf<Colour>(random, kColours),
      .value = random.chance(kOneDigit) ? random.between(0, 9) : random.between(10, 99)};
}

std::vector<int> randomPlaces(Random& random) {
  std::vector<int> places(kPlaces);
  std::iota(places.begin(), places.end(), 0);
  random.shuffle(places);
  places.resize(static_cast<std::size_t>(random.between(2, 5)));
  return places;
}

}  // namespace

const Thing* Scene::at(int place) const {
  const auto found = std::ranges::find(things, place, &Thing::place);
  return found == things.end() ? nullptr : &*found;
}

Split splitOf(const Thing& thing) {
  // Of every tenth combination of colour, shape and place, one size is held out. If all
  // three sizes were held out, the model would learn from the answers alone that the
  // combination never occurs.
  const auto colour = static_cast<int>(thing.colour);
  const auto shape = static_cast<int>(thing.shape);
  const bool isNumber = thing.shape == Shape::Number;
  if (isNumber && thing.value < 10) return Split::Training;
  const int sum = isNumber ? 3 * (thing.value / 10) + thing.value % 10
                           : 7 * colour + 2 * shape + 3 * thing.place;
  const int size = isNumber ? 0 : static_cast<int>(thing.size);
  const bool isHeldOut = sum % 10 == 4 && (colour + thing.place) % kSizes == size;
  return isHeldOut ? Split::HeldOut : Split::Training;
}

/// A held-out scene's number is drawn from the held-out split or, with probability 1/2,
/// from both splits.
Thing SceneGenerator::writtenNumber(Random& random, int place) const {
  const bool isAny = m_split == Split::HeldOut && random.chance(0.5);
  while (true) {
    Thing thing = randomNumber(random);
    thing.place = place;
    if (isAny || splitOf(thing) == m_split) return thing;
  }
}

/// The first shape of a held-out scene is drawn from the held-out split, its other shapes
/// from both splits.
Thing SceneGenerator::thing(Random& random, const Scene& scene, int place) const {
  while (true) {
    Thing thing = randomShape(random, scene.things);
    thing.place = place;
    const bool mustBeHeldOut = m_split == Split::HeldOut && scene.things.empty();
    if (mustBeHeldOut ? splitOf(thing) == Split::HeldOut
                      : m_split == Split::HeldOut || splitOf(thing) == Split::Training)
      return thing;
  }
}

Scene SceneGenerator::scene(std::uint64_t number) const {
  Random random(m_seed, number);
  Scene scene;
  std::vector<int> places = randomPlaces(random);
  Thing written;
  const bool hasNumber = random.chance(kNumberShare);
  if (hasNumber) {
    written = writtenNumber(random, places.back());
    places.pop_back();
  }
  for (const int place : places) scene.things.push_back(thing(random, scene, place));
  if (hasNumber) scene.things.push_back(written);
  std::ranges::sort(scene.things, {}, &Thing::place);
  scene.seed = random.next();
  return scene;
}

}  // namespace equipatch
