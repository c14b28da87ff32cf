// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/loaded_model.h"

#include "core/base/paths.h"

namespace equipatch {

bool computesRun(const LoadedModel& model, const RunHeader& header) {
  return absoluteFolder(model.folder) == absoluteFolder(header.modelFolder) &&
         model.dtype == header.dtype && model.device == header.device &&
         model.computesFloat32 == header.computesFloat32;
}

}  // namespace equipatch
