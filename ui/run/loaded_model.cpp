// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/loaded_model.h"

#include <filesystem>
#include <system_error>

namespace equipatch {
namespace {

namespace fs = std::filesystem;

/// The path without dots, and without a slash at its end as in "--model models/tiny/".
fs::path comparable(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

}  // namespace

bool computesRun(const LoadedModel& model, const RunHeader& header) {
  std::error_code failure;
  return comparable(fs::absolute(model.folder, failure)) ==
             comparable(header.modelFolder) &&
         model.dtype == header.dtype && model.device == header.device &&
         model.computesFloat32 == header.computesFloat32;
}

}  // namespace equipatch
