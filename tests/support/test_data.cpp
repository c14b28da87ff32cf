#include "tests/support/test_data.h"

#include <cstdlib>

namespace equipatch::test {

std::filesystem::path data(const std::filesystem::path& relative) {
  return std::filesystem::path(EQUIPATCH_TEST_DATA) / relative;
}

std::optional<std::filesystem::path> extraData(const std::filesystem::path& relative) {
  const char* root = std::getenv("EQUIPATCH_EXTRA_DATA");
  if (!root || !*root) return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(root) / relative;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace equipatch::test
