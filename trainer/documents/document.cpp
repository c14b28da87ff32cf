#include "trainer/documents/document.h"

#include <array>

namespace equipatch {

std::string_view skillName(Skill skill) {
  constexpr std::array<std::string_view, kSkills> kNames = {
      "forecast", "rhyme",    "story", "known relation", "invented rule",
      "recall",   "counting", "sum",   "copying"};
  return kNames.at(static_cast<std::size_t>(skill));
}

}  // namespace equipatch
