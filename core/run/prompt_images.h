// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/checkpoint/vision_spec.h"
#include "core/record/prompt_image.h"
#include "core/text/tokenizer.h"

namespace equipatch {

using Pictures = std::vector<std::shared_ptr<const PictureFile>>;

/// Reads a picture's file and decodes it once, so that what is wrong with it is known
/// before a model computes.
/// @throws Error as `decodePicture`, naming the file.
std::shared_ptr<const PictureFile> readPicture(const std::filesystem::path& path);

/// A run's images with the pictures that its file left out, found by their hashes.
/// @throws Error{BadInput} when one of `given` belongs to no image, or one that the file
///         left out is not given.
std::vector<PromptImage> withPictures(std::vector<PromptImage> images,
                                      const Pictures& given);

/// @throws Error{BadInput} for a picture whose bytes are not there.
void requireBytes(const PictureFile& picture);

/// @param vision null where the model's class takes no images
/// @throws Error{BadInput} saying why, where the model cannot take an image.
const VisionSpec& requireVision(const VisionSpec* vision);

/// What stands in a text where an image is meant: "<start_of_image>".
std::string imagePlaceholder(const VisionSpec& vision, const Tokenizer& tokenizer);

/// The text with each placeholder replaced by an image's tokens, between a begin and an
/// end token and empty lines, as Hugging Face's processor writes them.
/// @throws Error{BadInput} unless there are as many placeholders as images.
std::string withImageTokens(const std::string& text, std::size_t images,
                            const VisionSpec& vision, const Tokenizer& tokenizer);

/// Where an image stands in a text that `withImageTokens` wrote.
struct ImageSpan {
  ByteSpan written;            ///< the empty lines, the begin and the end token too
  std::size_t firstToken = 0;  ///< where the first of its image tokens begins
};

/// The images' places in the text of a prompt, in its order.
/// @param text that the tokens were made from; an image whose tokens are not in it has
///        none and is left out
std::vector<ImageSpan> imageSpans(const std::string& text,
                                  const std::vector<Token>& prompt,
                                  const std::vector<PromptImage>& images);

/// Gives the prompt's image tokens to the pictures in order.
/// @throws Error{BadInput} unless each picture gets its tokens side by side.
std::vector<PromptImage> placeImages(const std::vector<Token>& prompt,
                                     const Pictures& pictures, const VisionSpec& vision);

}  // namespace equipatch
