// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/record/run_record.h"

namespace equipatch {

/// Writes one step's patch so that it can be verified without Equipatch, into a folder
/// that is made if need be:
///   adapter_config.json, adapter_model.safetensors   a LoRA adapter of rank 1 as Hugging
///       Face PEFT loads it: lora_A = wᵀ [1, inputs], lora_B = u [outputs, 1],
///       alpha = r = 1
///   patched_parameters.safetensors   patched norm scales and biases, as stored (Gemma:
///       m − 1), which an adapter cannot hold
///   reference.json   token, position and the logits that the three passes gave it
///   verify.py        loads all of it in transformers and compares
/// Everything carries the names that transformers gives the loaded model's modules.
/// @param step with its factors
/// @throws Error{Unsupported} when an adapter cannot express the step's patch;
/// Error{Resource} when something cannot be written.
void exportPeft(const RunHeader& header, const StepRecord& step,
                const std::filesystem::path& folder);

/// Checks that `exportPeft` would overwrite nothing but its own files, which it
/// recognises by the reference beside them.
/// @throws Error{BadInput} naming a file that something else wrote.
void requireOwnAdapter(const std::filesystem::path& folder);

}  // namespace equipatch
