// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/branch.h"

#include <algorithm>

namespace equipatch {

std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps) {
  const std::vector<Token>& longer = branch.request.prompt;
  const std::vector<Token>& prompt = other.request.prompt;
  if (branch.modelName != other.modelName || longer.size() <= prompt.size())
    return std::nullopt;
  const std::size_t more = longer.size() - prompt.size();
  // The last token is the branch's own choice.
  if (more > steps.size() ||
      !std::ranges::equal(
          prompt,
          std::ranges::subrange(longer.begin(), longer.begin() + std::ssize(prompt)), {},
          &Token::id, &Token::id))
    return std::nullopt;
  for (std::size_t i = 0; i + 1 < more; ++i)
    if (longer[prompt.size() + i].id != steps[i]->continued) return std::nullopt;
  return static_cast<std::int64_t>(more);
}

}  // namespace equipatch
