// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/record/file/run_file.h"

namespace equipatch {

/// Writes the run's numbers as NumPy arrays, uncompressed (numpy.load maps names to
/// arrays): values of steps as "linf" [steps], of layers as "layer_effect" [steps,
/// layers], "scale_delta" [steps, layers, width] float32 where blocks close with a norm
/// scale, candidates as "contextual_id", "contextual_logit", "contextual_probability"
/// [steps, k], likewise "patched_…" and "bare_…", and "prompt_ids". A missing value is
/// NaN, a missing id −1. Texts are left out.
/// @throws Error{Resource} when the file cannot be written.
void exportNpz(const StoredRun& run, const std::filesystem::path& path);

}  // namespace equipatch
