// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "tests/support/safetensors_writer.h"

namespace equipatch::test {

struct TinyModel {
  /// Any model_type, or "gemma4_mixture": a gemma4_text with experts.
  std::string family = "llama";
  std::int64_t vocabulary = 64;
  std::int64_t width = 32;
  std::int64_t mlpWidth = 48;
  std::int64_t layers = 3;
  std::int64_t heads = 4;
  std::int64_t kvHeads = 2;
  std::int64_t headDim = 8;
  std::int64_t maxPositions = 128;
  DType dtype = DType::F32;  ///< as stored
  std::uint64_t seed = 0;
  /// A JSON object; its members are added to config.json or replace members there:
  /// R"({"attention_bias": true, "sliding_window": 5})".
  std::string moreConfig = "{}";
};

/// Writes config.json and model.safetensors with random weights; creates a missing
/// folder. A tensor's random numbers depend only on its name and the seed, and are scaled
/// to keep activations near 1.
/// @returns the folder
std::filesystem::path writeTinyCheckpoint(const std::filesystem::path& folder,
                                          const TinyModel& model = {});

/// Rewrites model.safetensors in a folder of writeTinyCheckpoint; the dtype must be
/// float32. `change` may assign other values to each tensor.
void changeTensors(const std::filesystem::path& folder,
                   const std::function<void(const std::string& name,
                                            std::vector<float>& values)>& change);

/// Nearly standard normal values from a generator seeded by `name` and `seed`.
std::vector<float> randomValues(const std::string& name, std::size_t count,
                                std::uint64_t seed = 0);

}  // namespace equipatch::test
