#pragma once

#include <filesystem>
#include <span>

#include "trainer/network/shape.h"

namespace equipatch {

/// Writes config.json, generation_config.json and model.safetensors in Hugging Face's
/// layout: a Gemma3ForCausalLM in bfloat16.
/// @throws Error{Resource} when the folder cannot be written.
void writeModel(const std::filesystem::path& folder, const NetworkShape& shape,
                std::span<const float> parameters);

}  // namespace equipatch
