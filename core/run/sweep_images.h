// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/record/sweep/sweep_prompts.h"

namespace equipatch {

/// The images in those files, by their absolute paths, as a sweep's tasks may run in
/// other folders.
/// @throws Error as `readPicture`, before anything is computed.
std::vector<SweepImage> readSweepImages(const std::vector<std::string>& files);

/// Gives all images to each prompt that lists none and has a place for an image: a text
/// with a placeholder, or a chat, whose template makes the places. Other prompts stay as
/// they are. Does nothing without images.
/// @throws Error{BadInput} if the model takes no images, or no prompt takes them; Error
/// as `Tokenizer::open`.
void giveImages(std::vector<SweepPrompt>& prompts, const std::vector<SweepImage>& images,
                const Checkpoint& model);

}  // namespace equipatch
