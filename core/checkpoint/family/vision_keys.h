// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Reads "vision_config" and the keys beside it that concern images. Sets the spec's
/// `vision`, and `visionTensors` with the stored names of transformers' SigLIP tower and
/// Gemma 3 projector. A tower that cannot be computed is not an error:
/// `VisionSpec::problem` says why, and `visionTensors` stays empty.
void readVision(JsonObject& config, ModelDescription& description);

}  // namespace equipatch
