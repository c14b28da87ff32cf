// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "trainer/vision/vision_shape.h"

namespace equipatch {

/// Ids of the token before an image, of the token after it and of the image's own tokens.
/// They follow kUnknownId.
inline constexpr int kBeginOfImageId = 4, kEndOfImageId = 5, kImageId = 6;

/// Learns a vocabulary from questions and answers about training scenes and writes
/// tokenizer.json and tokenizer_config.json into `folder`.
/// @throws Error{Resource} if the folder cannot be written
void writeVisionTokenizer(const std::filesystem::path& folder, std::uint64_t seed);

/// Writes config.json, preprocessor_config.json, processor_config.json,
/// generation_config.json and model.safetensors of a Gemma3ForConditionalGeneration in
/// bfloat16.
/// @throws Error{Resource} if the folder cannot be written
void writeVisionModel(const std::filesystem::path& folder, const VisionShape& shape,
                      std::span<const float> parameters);

}  // namespace equipatch
