// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "trainer/scenes/scene.h"

namespace equipatch {

enum class QuestionKind {
  Describe,
  Neighbour,
  Count,
  Extreme,
  Read,
  Colour,
  Shape,
  Place,
  At
};
inline constexpr int kQuestionKinds = 9;

constexpr std::string_view kindName(QuestionKind kind) {
  constexpr std::array<std::string_view, kQuestionKinds> kNames = {
      "describe", "neighbour", "count", "largest, smallest", "read a number",
      "colour",   "shape",     "where", "what is there"};
  return kNames.at(static_cast<std::size_t>(kind));
}

struct Question {
  QuestionKind kind = QuestionKind::Describe;
  std::string text;
  std::string answer;  ///< begins with a space
};

/// A random question of this kind that has exactly one answer; nullopt if the scene
/// allows no such question.
std::optional<Question> ask(QuestionKind kind, const Scene& scene, Random& random);

/// A question of a random kind except Describe, with each kind's share of the training
/// data.
Question askAnything(const Scene& scene, Random& random);

}  // namespace equipatch
