// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_data.h"

#include <algorithm>
#include <cstdlib>

namespace equipatch::test {

std::filesystem::path data(const std::filesystem::path& relative) {
  return std::filesystem::path(EQUIPATCH_TEST_DATA) / relative;
}

std::vector<std::string> goldenNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data("golden")))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::filesystem::path> extraData(const std::filesystem::path& relative) {
  const char* root = std::getenv("EQUIPATCH_EXTRA_DATA");
  if (!root || !*root) return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(root) / relative;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace equipatch::test
