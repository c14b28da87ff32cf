// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/provenance.h"

#include <cstddef>

namespace equipatch {

std::vector<std::string> differentWeights(const Provenance& then, const Provenance& now) {
  std::vector<std::string> clauses;
  if (then.configSha256 != now.configSha256)
    clauses.emplace_back("config.json is another one");
  if (then.tensorFiles.size() != now.tensorFiles.size()) {
    clauses.push_back(std::to_string(now.tensorFiles.size()) +
                      " tensor files instead of " +
                      std::to_string(then.tensorFiles.size()));
    return clauses;
  }
  for (std::size_t index = 0; index < now.tensorFiles.size(); ++index)
    if (then.tensorFiles[index] != now.tensorFiles[index])
      clauses.push_back(now.tensorFiles[index].file + " has another header");
  return clauses;
}

}  // namespace equipatch
