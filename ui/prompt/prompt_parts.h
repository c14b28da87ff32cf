// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/run/prepared_prompt.h"

namespace equipatch {

/// The text that stands for an image when a prompt is stored or copied as text.
inline const QString kPicturePlace = QStringLiteral("<start_of_image>");

/// A prompt as the window shows it: a text with images.
struct PromptParts {
  /// An image, and the UTF-16 position in `text` of the U+FFFC that stands for it.
  struct Place {
    int position = 0;
    std::shared_ptr<const PictureFile> picture;  ///< never null

    bool operator==(const Place&) const = default;
  };

  QString text;
  std::vector<Place> pictures = {};  ///< in the order of the text

  bool operator==(const PromptParts&) const = default;

  Pictures files() const;
  /// The text with `place` instead of each image.
  QString written(const QString& place = kPicturePlace) const;
  void append(const QString& more) { text += more; }
  void append(std::shared_ptr<const PictureFile> picture);
};

/// Replaces each `kPicturePlace` of the text by the next picture. If there are too few
/// pictures, the last places stay text; surplus pictures are left out.
PromptParts partsOf(const QString& text, const Pictures& pictures);

/// @param texts before, between and after the pictures: one more than pictures
PromptParts partsOf(const std::vector<std::string>& texts, const Pictures& pictures);

/// Replaces each image's place in the text (`ImageSpan::written`) by the image.
/// @param text as the model reads it
/// @param spans as `imageSpans` returns them; if an image has no span, the whole text
///        stays as it is
PromptParts partsOf(const std::string& text, const std::vector<ImageSpan>& spans,
                    const std::vector<PromptImage>& images);

/// A prompt's token ids, separated by commas; each image stands before the ids of its
/// tokens.
PromptParts idPartsOf(const std::vector<Token>& prompt,
                      const std::vector<PromptImage>& images);

}  // namespace equipatch
