#pragma once

#include <filesystem>

#include "core/base/disk_folder.h"
#include "core/base/error.h"

namespace equipatch::test {

/// A folder whose files can be cold, for a TemporaryFolder; empty where the system has
/// none: in containers all places for temporary files may lie in memory.
inline std::filesystem::path diskForTests() {
  constexpr std::uintmax_t kEnough = std::uintmax_t{128} << 20;
  try {
    return folderOnDisk(temporaryPlaces(), kEnough);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace equipatch::test
