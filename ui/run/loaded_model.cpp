// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/loaded_model.h"

#include <filesystem>
#include <system_error>

namespace equipatch {

bool computesRun(const LoadedModel& model, const RunHeader& header) {
  std::error_code failure;
  const auto folder = std::filesystem::absolute(model.folder, failure).lexically_normal();
  return folder == std::filesystem::path(header.modelFolder).lexically_normal() &&
         model.dtype == header.dtype && model.device == header.device &&
         model.computesFloat32 == header.computesFloat32;
}

}  // namespace equipatch
