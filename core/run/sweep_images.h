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

/// The images in these files, with absolute paths, because a sweep's tasks may run in
/// other folders.
/// @throws Error as `readPicture`.
std::vector<SweepImage> readSweepImages(const std::vector<std::string>& files);

/// Reads an image of a sweep again.
/// @throws Error{BadInput} if the file has changed since the sweep began; Error as
/// `readPicture`.
std::shared_ptr<const PictureFile> readUnchanged(const SweepImage& image);

/// Gives all images to each prompt that lists no images and has a place for them: a text
/// with a placeholder, or a chat. Does nothing if `images` is empty.
/// @throws Error{BadInput} if the model takes no images, or if no prompt gets them; Error
/// as `Tokenizer::open`.
void giveImages(std::vector<SweepPrompt>& prompts, const std::vector<SweepImage>& images,
                const Checkpoint& model);

}  // namespace equipatch
