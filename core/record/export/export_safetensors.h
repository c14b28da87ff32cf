// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

#include "core/record/file/run_file.h"

namespace equipatch {

/// Writes the whole patch of one step, or of all, as float64 tensors:
/// "step.K.layer.L.W_gate.u" [outputs] and ".w" [inputs] of every patched matrix, and
/// "step.K.layer.L." with patched_scale, patched_scale_delta, patched_bias,
/// patched_bias_delta, v, z, v_context, z_context [width], where the layer has them.
/// @throws Error{BadInput} when the run did not keep its factors or has no such step;
/// Error{Resource} when the file cannot be written.
void exportSafetensors(const RunFile& run, std::optional<StepIndex> step,
                       const std::filesystem::path& path);

/// The step with its factors. @throws Error{BadInput} when it has none, saying how to get
/// them.
std::shared_ptr<const StepRecord> stepWithFactors(const RunFile& run, StepIndex step);

}  // namespace equipatch
