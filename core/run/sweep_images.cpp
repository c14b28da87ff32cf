// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_images.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/text/tokenizer.h"

namespace equipatch {

std::vector<SweepImage> readSweepImages(const std::vector<std::string>& files) {
  std::vector<SweepImage> images;
  for (const std::string& file : files) {
    readPicture(file);
    images.push_back(sweepImageOf(std::filesystem::absolute(file)));
  }
  return images;
}

std::shared_ptr<const PictureFile> readUnchanged(const SweepImage& image) {
  auto picture = readPicture(image.file);
  if (picture->sha256 != image.sha256)
    throw badInput(image.file +
                   ": expected the image that the sweep began with, found another one; "
                   "restore it, or sweep into another folder");
  return picture;
}

void giveImages(std::vector<SweepPrompt>& prompts, const std::vector<SweepImage>& images,
                const Checkpoint& model) {
  if (images.empty()) return;
  const VisionSpec& reader = requireVision(model.spec());
  SilentProgress silent;
  const std::string place =
      imagePlaceholder(reader, *Tokenizer::open(model.folder(), silent));
  const auto hasPlace = [&](const SweepPrompt& prompt) {
    return prompt.chat || prompt.text.find(place) != std::string::npos;
  };
  bool isUsed = false;
  for (SweepPrompt& prompt : prompts) {
    if (!prompt.images.empty() || !hasPlace(prompt)) continue;
    prompt.images = images;
    isUsed = true;
  }
  if (!isUsed)
    throw badInput("no prompt has a place for the " +
                   std::string(images.size() == 1 ? "image" : "images") +
                   " of --image, apart from those that list their own; write " + place +
                   " into the texts that should show " +
                   (images.size() == 1 ? "it" : "them, once for each image"));
}

}  // namespace equipatch
