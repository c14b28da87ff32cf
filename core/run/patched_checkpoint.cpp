// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/patched_checkpoint.h"

#include "core/base/error.h"
#include "core/base/paths.h"

namespace equipatch {

void makeNewFolder(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem || !isFolder(folder))
    throw Error(ErrorKind::Resource, folder.string() + ": cannot be made a folder" +
                                         (problem ? ", " + problem.message() : ""));
  if (!std::filesystem::is_empty(folder))
    throw badInput(folder.string() +
                   ": is not empty; name a new folder for the patched checkpoint");
}

}  // namespace equipatch
