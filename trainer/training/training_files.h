// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/base/json.h"
#include "trainer/network/network.h"

namespace equipatch {

/// The complete state of a training between two steps.
struct TrainingState {
  std::int64_t step = 0;
  std::uint64_t nextDocument = 0;  ///< index for the generator
  std::int64_t tokens = 0;         ///< seen so far
  double seconds = 0;              ///< spent in steps so far
  std::vector<float> parameters;
  std::vector<float> expAvg;    ///< running mean of the gradients, as in PyTorch's AdamW
  std::vector<float> expAvgSq;  ///< running mean of the gradients' squares
};

/// Replaces an existing file only when the new one is complete.
/// @throws Error{Resource} if writing fails
void saveState(const std::filesystem::path& path, const TrainingState& state);

/// @param parameters the expected number of parameters
/// @throws Error{BadInput} if a tensor is missing or has another type or size, or if a
/// count or the time is out of range; Error as `SafetensorsFile::open`
TrainingState loadState(const std::filesystem::path& path, std::int64_t parameters);

/// Writes config.json, generation_config.json and model.safetensors of a
/// Gemma3ForCausalLM in bfloat16 into an existing folder.
/// @throws Error{Resource} if the folder cannot be written
void writeModel(const std::filesystem::path& folder, const NetworkShape& shape,
                std::span<const float> parameters);

/// The keys of a text model's config.json or of a vision model's text_config.
Json textConfig(const NetworkShape& shape);

/// Writes config.json, and generation_config.json for greedy decoding.
/// @throws Error as `writeText`
void writeConfigs(const std::filesystem::path& folder, const Json& config);

/// Writes the parameters to a .safetensors file in bfloat16.
/// @throws Error{Resource} if the file cannot be written
void writeParameters(const std::filesystem::path& path,
                     const std::vector<Parameter>& layout,
                     std::span<const float> parameters);

}  // namespace equipatch
