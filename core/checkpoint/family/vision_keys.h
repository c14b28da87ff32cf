// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Reads "vision_config" and the keys beside it that concern images, and sets the spec's
/// `vision` and the description's `visionTensors`, whose names are Hugging Face's for a
/// SigLIP tower and Gemma 3's projector. A tower that cannot be computed is not an error;
/// `VisionSpec::problem` then says why.
void readVision(JsonObject& config, ModelDescription& description);

}  // namespace equipatch
