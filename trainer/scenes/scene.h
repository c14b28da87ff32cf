// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "trainer/documents/word_lists.h"

namespace equipatch {

enum class Shape { Circle, Square, Triangle, Cross, Ring, Number };
inline constexpr int kShapes = 5;  ///< without Number

enum class Colour { Red, Green, Blue, Yellow, Purple, Orange };
inline constexpr int kColours = 6;

enum class Size { Small, Medium, Large };
inline constexpr int kSizes = 3;

/// A scene has 3 × 3 places, numbered row by row, each with at most one thing.
inline constexpr int kPlacesPerRow = 3;
inline constexpr int kPlaces = kPlacesPerRow * kPlacesPerRow;

constexpr std::string_view shapeName(Shape shape) {
  constexpr std::array<std::string_view, kShapes + 1> kNames = {
      "circle", "square", "triangle", "cross", "ring", "number"};
  return kNames.at(static_cast<std::size_t>(shape));
}

constexpr std::string_view colourName(Colour colour) {
  constexpr std::array<std::string_view, kColours> kNames = {
      "red", "green", "blue", "yellow", "purple", "orange"};
  return kNames.at(static_cast<std::size_t>(colour));
}

constexpr std::string_view placeName(int place) {
  constexpr std::array<std::string_view, kPlaces> kNames = {
      "top left", "top",         "top right", "left",        "middle",
      "right",    "bottom left", "bottom",    "bottom right"};
  return kNames.at(static_cast<std::size_t>(place));
}

/// A shape or a written number.
struct Thing {
  Shape shape = Shape::Circle;
  Colour colour = Colour::Red;
  Size size = Size::Medium;  ///< always Medium for a Number
  int place = 0;
  int value = 0;  ///< of a Number, 0 to 99

  int row() const { return place / kPlacesPerRow; }
  int column() const { return place % kPlacesPerRow; }
  bool operator==(const Thing&) const = default;
};

/// The things that a picture shows, in the order of their places.
struct Scene {
  std::vector<Thing> things;  ///< two to five; at most one Number
  /// For details that no question is about, such as the background.
  std::uint64_t seed = 0;

  /// The thing at a place, or null.
  const Thing* at(int place) const;
};

/// A shape's split depends on its colour, shape, size and place; a number's split depends
/// on its value, colour and place. One combination in thirty is held out, but never a
/// number of one digit.
Split splitOf(const Thing& thing);

/// The same seed, split and number always give the same scene. A training scene has no
/// thing of the held-out split; a held-out scene has at least one. Immutable; any thread.
class SceneGenerator {
 public:
  SceneGenerator(Split split, std::uint64_t seed) : m_split(split), m_seed(seed) {}

  Scene scene(std::uint64_t number) const;

 private:
  Thing writtenNumber(Random& random, int place) const;
  Thing thing(Random& random, const Scene& scene, int place) const;

  Split m_split;
  std::uint64_t m_seed;
};

}  // namespace equipatch
