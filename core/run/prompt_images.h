// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/record/prompt_image.h"
#include "core/text/tokenizer.h"

namespace equipatch {

using Pictures = std::vector<std::shared_ptr<const PictureFile>>;

/// Reads an image's file and decodes it once, so that a damaged file is reported before a
/// model computes.
/// @throws Error as `readFile` and `decodePicture`, naming the file.
std::shared_ptr<const PictureFile> readPicture(const std::filesystem::path& path);

/// Adds the pictures whose bytes a run file omits to the run's images, from `given`,
/// matched by their hashes.
/// @throws Error{BadInput} when a picture in `given` belongs to no image, or `given`
///         lacks a picture whose bytes are missing.
std::vector<PromptImage> withPictures(std::vector<PromptImage> images,
                                      const Pictures& given);

/// @throws Error{BadInput} if the image's bytes are missing.
void requireBytes(const PictureFile& picture);

/// @param vision null where the model's class takes no images
/// @throws Error{BadInput} with the reason, if the model cannot take an image.
const VisionSpec& requireVision(const VisionSpec* vision);
const VisionSpec& requireVision(const ModelSpec& model);

/// The text that marks an image's place in a prompt: "<start_of_image>".
std::string imagePlaceholder(const VisionSpec& vision, const Tokenizer& tokenizer);

/// The text with each placeholder replaced by an image's tokens, between a begin and an
/// end token and empty lines, as Hugging Face's processor writes them.
/// @throws Error{BadInput} unless there are as many placeholders as images.
std::string withImageTokens(const std::string& text, std::size_t images,
                            const VisionSpec& vision, const Tokenizer& tokenizer);

/// An image's place in a text that `withImageTokens` wrote.
struct ImageSpan {
  ByteSpan written;            ///< with the empty lines, the begin and the end token
  std::size_t firstToken = 0;  ///< byte at which the first image token begins
};

/// The images' places in the text of a prompt, in the order of the text. Leaves out
/// images whose tokens are not in the text.
/// @param text the text from which the tokens were made
std::vector<ImageSpan> imageSpans(const std::string& text,
                                  const std::vector<Token>& prompt,
                                  const std::vector<PromptImage>& images);

/// The decoded text before, between and after a prompt's images: one more text than
/// images. Omits special tokens, and the empty lines around images.
/// @param images in the order of the prompt
/// @throws Error as `Tokenizer::decode`.
std::vector<std::string> textAroundImages(const std::vector<Token>& prompt,
                                          const std::vector<PromptImage>& images,
                                          const Tokenizer& tokenizer);

/// Assigns the prompt's image tokens to the images, in order.
/// @throws Error{BadInput} unless every image gets all of its tokens, side by side.
std::vector<PromptImage> placeImages(const std::vector<Token>& prompt,
                                     const Pictures& pictures, const VisionSpec& vision);

}  // namespace equipatch
