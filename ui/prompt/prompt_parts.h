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

/// A prompt as the window shows it: a text in which some characters are images.
struct PromptParts {
  /// An image, and the UTF-16 position of the character that stands for it: U+FFFC.
  struct Place {
    int position = 0;
    std::shared_ptr<const PictureFile> picture;  ///< never null

    bool operator==(const Place&) const = default;
  };

  QString text;
  std::vector<Place> pictures = {};  ///< in the order of the text

  bool operator==(const PromptParts&) const = default;

  Pictures files() const;
  /// The text with `place` in place of each image.
  QString written(const QString& place = kPicturePlace) const;
  void append(const QString& more) { text += more; }
  void append(std::shared_ptr<const PictureFile> picture);
};

/// The parts whose `written` form is `text`. Places beyond the number of images stay
/// text; images beyond the number of places are left out.
PromptParts partsOf(const QString& text, const Pictures& pictures);

/// @param texts before, between and after the pictures: one more than pictures
PromptParts partsOf(const std::vector<std::string>& texts, const Pictures& pictures);

/// The parts of a text with its images' tokens, as a model reads it.
/// @param spans of `images`, as `imageSpans` finds them; if there are fewer spans than
///        images, the text is taken as it is
PromptParts partsOf(const std::string& text, const std::vector<ImageSpan>& spans,
                    const std::vector<PromptImage>& images);

/// A prompt's token ids between commas, with each image before the ids of its tokens.
PromptParts idPartsOf(const std::vector<Token>& prompt,
                      const std::vector<PromptImage>& images);

}  // namespace equipatch
