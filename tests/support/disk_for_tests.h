// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/base/error.h"
#include "core/base/temporary_folder.h"

namespace equipatch::test {

/// A folder on a disk, so that the system can drop its files from the page cache. Empty
/// when all folders for temporary files lie in memory, as in many containers, or have
/// less than 128 MiB of room.
inline std::filesystem::path diskForTests() {
  constexpr std::uintmax_t kEnough = std::uintmax_t{128} << 20;
  try {
    return folderOnDisk(temporaryPlaces(), kEnough);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace equipatch::test
