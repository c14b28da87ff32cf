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

/// Writes the run's numbers as an uncompressed .npz file, which numpy.load reads. Arrays
/// are float64; ids, flags and counts are int64:
///   "linf", …            [steps], one array for each number of a step
///   "layer_effect", …    [steps, layers], one for each number of a layer
///   "scale_delta"        [steps, layers, width] float32, where blocks close with a scale
///   "contextual_id", "contextual_logit", "contextual_probability"
///                        [steps, k], the candidates of the pass; likewise "patched_…",
///                        "bare_…" and, if the run has an ablated pass, "ablated_…"
///   "prompt_ids"         [prompt tokens]
///   "run_json"           the run's settings as `exportJson` has them, as a byte string
/// A missing real number is NaN, a missing id or flag −1. Columns of text are left out:
/// tokens' texts, a layer's experts and note.
/// @throws Error{Unsupported} where an array would have too many missing numbers;
/// Error as OutputFile when the file cannot be written.
void exportNpz(const StoredRun& run, const std::filesystem::path& path);

struct WrittenPatches {
  std::int64_t steps = 0;
  std::string damage;  ///< why later steps are missing; usually empty
};

/// Writes the whole patch of a step as float64 tensors of a safetensors file:
/// "step.K.layer.L.W_gate.u" [outputs] and ".w" [inputs] of every patched matrix, and
/// "step.K.layer.L." with patched_scale, patched_scale_delta, patched_dense_scale,
/// patched_bias, patched_bias_delta, v, z, v_context, z_context [width], where the layer
/// has them.
/// @param step empty: every step up to the first that cannot be read
/// @throws Error as stepWithFactors, for step 0 if `step` is empty; as OutputFile
/// when the file cannot be written.
WrittenPatches exportSafetensors(const RunFile& run, std::optional<StepIndex> step,
                                 const std::filesystem::path& path);

/// Reads a step together with its patch. @throws Error{BadInput} if the run recorded no
/// factors (the message says how to record them), if it has no such step, or if the step
/// is damaged.
std::shared_ptr<const StepRecord> stepWithFactors(const RunFile& run, StepIndex step);

/// Writes one step's patch so that it can be verified without Equipatch, into a folder
/// that is created if missing:
///   adapter_config.json, adapter_model.safetensors   a LoRA adapter of rank 1 as Hugging
///       Face PEFT loads it: lora_A = wᵀ [1, inputs], lora_B = u [outputs, 1],
///       lora_alpha = r = 1; not written if the step patches no matrix
///   patched_parameters.safetensors   patched norm scales and biases, as stored (Gemma:
///       m − 1), which an adapter cannot hold
///   reference.json   the token, its position and the three passes' candidates
///   verify.py        loads the patch into transformers and compares with reference.json
/// Parameters have the names that they have in transformers' model class.
/// @param step must hold its `factors`
/// @throws Error{BadInput} if the header does not name a patched parameter's tensor;
/// Error{Unsupported} when an adapter cannot express the step's patch, and as
/// requireAdapterPossible;
/// Error{Resource} when something cannot be written.
void exportPeft(const RunHeader& header, const StepRecord& step,
                const std::filesystem::path& folder);

/// Checks that an adapter can reproduce the patched pass of this run.
/// @throws Error{Unsupported} saying why not.
void requireAdapterPossible(const RunHeader& header);

/// Checks that `exportPeft` may write into the folder: it holds none of the files above,
/// or a reference.json that exportPeft wrote. @throws Error{BadInput} naming a file that
/// something else wrote.
void requireOwnAdapter(const std::filesystem::path& folder);

}  // namespace equipatch
