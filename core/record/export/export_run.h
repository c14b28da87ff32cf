// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

#include "core/record/file/run_file.h"
#include "core/record/run_record.h"

namespace equipatch {

/// Writes the run's numbers as NumPy arrays, uncompressed (numpy.load maps names to
/// arrays): one array [steps] for each number of a step, such as "linf"; one [steps,
/// layers] for each number of a layer, such as "layer_effect"; "scale_delta" [steps,
/// layers, width] float32 where blocks close with a norm scale, candidates as
/// "contextual_id", "contextual_logit", "contextual_probability" [steps, k], likewise
/// "patched_…" and "bare_…", and "prompt_ids". A missing real number is NaN, a missing id
/// or flag −1. Texts of tokens are left out; "run_json" is a byte string with the run's
/// settings as `exportJson` has them.
/// @throws Error{Resource} when the file cannot be written.
void exportNpz(const StoredRun& run, const std::filesystem::path& path);

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

/// Writes one step's patch so that it can be verified without Equipatch, into a folder
/// that is created if missing:
///   adapter_config.json, adapter_model.safetensors   a LoRA adapter of rank 1 as Hugging
///       Face PEFT loads it: lora_A = wᵀ [1, inputs], lora_B = u [outputs, 1],
///       alpha = r = 1
///   patched_parameters.safetensors   patched norm scales and biases, as stored (Gemma:
///       m − 1), which an adapter cannot hold
///   reference.json   the token, its position and the three passes' candidates
///   verify.py        loads all of it in transformers and compares
/// All parameters have the names that transformers gives the loaded model's modules.
/// @param step with its factors
/// @throws Error{Unsupported} when an adapter cannot express the step's patch;
/// Error{Resource} when something cannot be written.
void exportPeft(const RunHeader& header, const StepRecord& step,
                const std::filesystem::path& folder);

/// Checks that `exportPeft` would overwrite nothing but its own files, which it
/// recognises by the reference.json beside them.
/// @throws Error{BadInput} naming a file that something else wrote.
void requireOwnAdapter(const std::filesystem::path& folder);

}  // namespace equipatch
