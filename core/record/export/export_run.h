// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/record/file/run_file.h"
#include "core/record/run_record.h"

namespace equipatch {

/// Writes the run's numbers as an uncompressed .npz file (NumPy). Arrays are float64;
/// ids, flags and counts are int64:
///   "linf", …            [steps], one array for each number of a step
///   "layer_effect", …    [steps, layers], one array for each number of a layer
///   "scale_delta"        [steps, layers, width] float32, if blocks end with a norm scale
///   "contextual_id", "contextual_logit", "contextual_probability"
///                        [steps, k], the candidates of the pass; likewise "patched_…",
///                        "bare_…" and, if the run has an ablated pass, "ablated_…"
///   "prompt_ids"         [prompt tokens]
///   "run_json"           `runSettings` as a byte string
/// A missing real number is NaN, a missing integer −1. Columns of text are left out.
/// @throws Error{Unsupported} if an array would have too many missing numbers;
/// Error as OutputFile if the file cannot be written
void exportNpz(const StoredRun& run, const std::filesystem::path& path);

struct WrittenPatches {
  std::int64_t steps = 0;
  std::string damage;  ///< why later steps are missing; empty if none is missing
};

/// Writes the whole patch of a step as float64 tensors of a safetensors file:
/// "step.K.layer.L.W_gate.u" [outputs] and ".w" [inputs] of every patched matrix, and
/// "step.K.layer.L." with patched_scale, patched_scale_delta, patched_dense_scale,
/// patched_bias, patched_bias_delta, v, z, v_context, z_context [width]. Tensors that a
/// layer lacks are left out.
/// @param step empty: every step up to the first that cannot be read
/// @throws Error as stepWithFactors for the first step written; as SafetensorsWriter
WrittenPatches exportSafetensors(const RunFile& run, std::optional<StepIndex> step,
                                 const std::filesystem::path& path);

/// Reads a step with its patch. @throws Error{BadInput} if the run recorded no factors or
/// has no such step, or if the step is damaged.
std::shared_ptr<const StepRecord> stepWithFactors(const RunFile& run, StepIndex step);

/// Writes one step's patch into a folder, which is created if missing, so that the patch
/// can be verified without Equipatch:
///   adapter_config.json, adapter_model.safetensors   a LoRA adapter for Hugging Face
///       PEFT: lora_A = wᵀ [1, inputs], lora_B = u [outputs, 1], lora_alpha = r = 1; not
///       written if the step patches no matrix
///   patched_parameters.safetensors   patched norm scales and biases, which an adapter
///       cannot hold, as the checkpoint stores them (Gemma: m − 1)
///   reference.json   the token, its position and the three passes' candidates
///   verify.py        loads the patch into transformers and compares with reference.json
/// Parameters have their names in transformers' model class.
/// @param step must hold its `factors`
/// @throws Error{BadInput} if the header lacks a patched parameter or describes an
/// impossible one; Error{Unsupported} if an adapter cannot express the step's patch;
/// Error{Resource} if something cannot be written
void exportPeft(const RunHeader& header, const StepRecord& step,
                const std::filesystem::path& folder);

/// Checks by the header alone that an adapter can reproduce the run's patched pass.
/// @throws Error{Unsupported} saying why not
void requireAdapterPossible(const RunHeader& header);

/// Checks that the folder holds none of the files of `exportPeft`, or a reference.json
/// that exportPeft wrote. @throws Error{BadInput} naming a file that something else wrote
void requireOwnAdapter(const std::filesystem::path& folder);

}  // namespace equipatch
