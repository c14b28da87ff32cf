#include "trainer/evaluation/grade.h"

#include <algorithm>

namespace equipatch {

bool isRight(const Document& document, std::string_view answer) {
  if (document.mentions.empty()) return answer == document.lastAnswer();
  return std::ranges::all_of(document.mentions, [&](const std::string& thing) {
    return answer.find(thing) != std::string_view::npos;
  });
}

}  // namespace equipatch
