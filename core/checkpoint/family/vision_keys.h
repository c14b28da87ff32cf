// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Reads "vision_config" and the image keys beside it. Sets the spec's `vision`, and
/// `visionTensors` with the names of transformers' SigLIP tower and Gemma 3 projector.
/// Text needs no tower, so sizes that do not fit together are not an error:
/// `VisionSpec::problem` names the problem, and `visionTensors` stays empty.
/// @param description must already have the text model's width
/// @throws Error{BadInput} for a value out of range; Error{Unsupported} for an activation
///         or another key that is not computed.
void readVision(JsonObject& config, ModelDescription& description);

}  // namespace equipatch
