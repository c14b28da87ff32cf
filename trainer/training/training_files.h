#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "trainer/network/parameter_layout.h"

namespace equipatch {

/// All that a training consists of at one moment; written and read whole.
struct TrainingState {
  std::int64_t step = 0;
  std::uint64_t nextDocument = 0;  ///< of the generator
  std::int64_t tokens = 0;         ///< seen so far
  double seconds = 0;              ///< spent so far
  std::vector<float> parameters;
  std::vector<float> mean;  ///< of the optimiser
  std::vector<float> square;
};

/// Writes under another name first: a training that is killed leaves the last whole
/// state.
/// @throws Error{Resource} when the disk refuses.
void saveState(const std::filesystem::path& path, const TrainingState& state);

/// @param parameters how many there must be.
/// @throws Error{BadInput} naming what is missing or has another size.
TrainingState loadState(const std::filesystem::path& path, std::int64_t parameters);

/// Writes config.json, generation_config.json and model.safetensors in Hugging Face's
/// layout: a Gemma3ForCausalLM in bfloat16.
/// @throws Error{Resource} when the folder cannot be written.
void writeModel(const std::filesystem::path& folder, const NetworkShape& shape,
                std::span<const float> parameters);

}  // namespace equipatch
