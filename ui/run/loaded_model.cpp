// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/loaded_model.h"

#include "core/base/paths.h"
#include "core/run/rerun.h"

namespace equipatch {

bool isModelOf(const LoadedModel& model, const RunHeader& header) {
  if (absoluteFolder(model.folder) == absoluteFolder(header.modelFolder)) return true;
  return !model.origin.configSha256.empty() &&
         differentWeights(header.provenance, model.origin).empty() &&
         !isThere(header.modelFolder);
}

bool computesRun(const LoadedModel& model, const RunHeader& header) {
  return model.dtype == header.dtype && model.device == header.device &&
         model.computesFloat32 == header.computesFloat32 && isModelOf(model, header);
}

SessionRequest modelRequestOf(const RunHeader& header, const LoadedModel* loaded) {
  SessionRequest request = sessionRequestOf(header);
  if (loaded && isModelOf(*loaded, header)) request.folder = loaded->folder;
  return request;
}

}  // namespace equipatch
