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

/// Reads an image's file. Decodes the image only to report a damaged file early.
/// @throws Error as `readFile` and `decodePicture`, naming the file.
std::shared_ptr<const PictureFile> readPicture(const std::filesystem::path& path);

/// Replaces each picture whose bytes are missing by the picture in `given` that has the
/// same hash.
/// @throws Error{BadInput} when a picture in `given` belongs to no image, or when bytes
///         are still missing.
std::vector<PromptImage> withPictures(std::vector<PromptImage> images,
                                      const Pictures& given);

/// @throws Error{BadInput} if the image's bytes are missing.
void requireBytes(const PictureFile& picture);

/// @param vision null: the model takes no images
/// @throws Error{BadInput} with the reason if the model cannot take an image.
const VisionSpec& requireVision(const VisionSpec* vision);
const VisionSpec& requireVision(const ModelSpec& model);

/// The text that marks an image's place in a prompt, such as "<start_of_image>".
std::string imagePlaceholder(const VisionSpec& vision, const Tokenizer& tokenizer);

/// Replaces each placeholder by an image's tokens, enclosed in a begin and an end token
/// and in empty lines, as Hugging Face's processor does.
/// @throws Error{BadInput} unless there are as many placeholders as images.
std::string withImageTokens(const std::string& text, std::size_t images,
                            const VisionSpec& vision, const Tokenizer& tokenizer);

/// An image's place in a text that `withImageTokens` wrote.
struct ImageSpan {
  ByteSpan written;            ///< includes begin token, end token and empty lines
  std::size_t firstToken = 0;  ///< byte at which the first image token begins
};

/// The images' places in the text, in the order of the text. Leaves out images whose
/// tokens are not in the text.
/// @param text the text from which `prompt` was tokenized
std::vector<ImageSpan> imageSpans(const std::string& text,
                                  const std::vector<Token>& prompt,
                                  const std::vector<PromptImage>& images);

/// The decoded texts before, between and after a prompt's images, without special tokens
/// and without the empty lines around images.
/// @param images in the order of the prompt
/// @throws Error as `Tokenizer::decode`.
std::vector<std::string> textAroundImages(const std::vector<Token>& prompt,
                                          const std::vector<PromptImage>& images,
                                          const Tokenizer& tokenizer);

/// Assigns the prompt's image tokens to the pictures, in order.
/// @throws Error{BadInput} unless each picture has `vision.tokens` image tokens at
///         consecutive positions.
std::vector<PromptImage> placeImages(const std::vector<Token>& prompt,
                                     const Pictures& pictures, const VisionSpec& vision);

}  // namespace equipatch
