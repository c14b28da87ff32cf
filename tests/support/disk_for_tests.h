// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/temporary_folder.h"

namespace equipatch::test {

/// A folder for temporary files on a disk, so that the system can drop its files from the
/// page cache. Empty if every such folder lies in memory, as in many containers, has less
/// than `room` bytes free or cannot be written.
inline std::filesystem::path diskForTests(std::uintmax_t room = std::uintmax_t{128}
                                                                << 20) {
  try {
    return folderOnDisk(temporaryPlaces(), room);
  } catch (const Error&) {
    return {};
  }
}

/// True if a folder for temporary files lies on a disk, whatever its free space.
inline bool hasDisk() {
  return !diskForTests(0).empty();
}

}  // namespace equipatch::test
