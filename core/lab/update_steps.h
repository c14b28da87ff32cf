#pragma once

#include "core/lab/notebook.h"
#include "core/lab/settings.h"

namespace equipatch {

namespace toy {
class InContextModel;
}

/// Draws ‖(ΔW)_{i+1} − (ΔW)_i‖ by context length, mean and standard error over the
/// evaluated prompts, and tells its first and last value.
void drawUpdateSteps(const toy::InContextModel& model, const LabSettings& settings,
                     Notebook& book);

}  // namespace equipatch
