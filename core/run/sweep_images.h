// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/record/sweep/sweep_prompts.h"
#include "core/run/prompt_images.h"

namespace equipatch {

/// The images in these files. Their paths are made absolute, because a sweep's tasks may
/// run in other folders.
/// @throws Error as `readPicture`, before anything is computed.
std::vector<SweepImage> readSweepImages(const std::vector<std::string>& files);

/// Reads an image of a sweep again, for a cell that is computed now.
/// @throws Error{BadInput} if the file has changed since; Error as `readPicture`.
std::shared_ptr<const PictureFile> readUnchanged(const SweepImage& image);

/// Gives all images to each prompt that lists no images and has a place for them: a text
/// with a placeholder, or a chat, whose template writes placeholders. Other prompts stay
/// as they are. Does nothing if `images` is empty.
/// @throws Error{BadInput} if the model takes no images, or no prompt takes them; Error
/// as `Tokenizer::open`.
void giveImages(std::vector<SweepPrompt>& prompts, const std::vector<SweepImage>& images,
                const Checkpoint& model);

}  // namespace equipatch
