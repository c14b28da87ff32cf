// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/record/absorbed_set.h"

namespace equipatch {

/// The content of an image's file. Immutable; threads share it.
struct PictureFile {
  std::string name;    ///< of the file, without folders
  std::string sha256;  ///< of the bytes
  std::string bytes;   ///< empty: left out of the run file
};

/// An image in a prompt, and the positions of its tokens.
struct PromptImage {
  std::shared_ptr<const PictureFile> picture;  ///< never null
  PositionRange tokens;

  bool operator==(const PromptImage& other) const {
    return tokens == other.tokens && picture->name == other.picture->name &&
           picture->sha256 == other.picture->sha256;
  }
};

/// The positions of each image's tokens.
std::vector<PositionRange> imageTokens(const std::vector<PromptImage>& images);

}  // namespace equipatch
