// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/image_rows.h"

#include <optional>

#include "core/backend/torch_backend.h"
#include "core/base/error.h"
#include "core/image/pixels.h"
#include "core/run/prompt_images.h"

namespace equipatch {
namespace {

/// @returns [3, imageSize, imageSize]
Tensor pixelsOf(const PictureFile& picture, const VisionSpec& vision) {
  requireBytes(picture);
  const Picture decoded =
      decodePicture(std::as_bytes(std::span(picture.bytes)), picture.name);
  const std::vector<float> values = pixelValues(decoded, vision.pixels, vision.imageSize);
  return at::tensor(values, at::kFloat).view({3, vision.imageSize, vision.imageSize});
}

}  // namespace

void checkImages(const Session& session, std::size_t contextLength,
                 const std::vector<PromptImage>& images) {
  if (images.empty()) return;
  const VisionSpec& vision = requireVision(session.spec());
  const auto length = static_cast<std::int64_t>(contextLength);
  std::int64_t next = 0;
  for (const PromptImage& image : images) {
    if (image.tokens.first < next || image.tokens.last >= length ||
        image.tokens.last - image.tokens.first + 1 != vision.tokens)
      throw badInput(
          "the image at positions " + std::to_string(image.tokens.first) + " to " +
          std::to_string(image.tokens.last) + " does not fit the context of " +
          std::to_string(length) + " tokens; expected images of " +
          std::to_string(vision.tokens) +
          " tokens, in order and without overlap, and a token after the last image");
    next = image.tokens.last + 1;
  }
}

GivenRows imageRows(const Session& session, const std::vector<PromptImage>& images,
                    Progress& progress) {
  GivenRows given;
  if (images.empty()) return given;
  const VisionSpec& vision = requireVision(session.spec());
  const auto& own = static_cast<const TorchSession&>(session);
  std::optional<VisionTower> tower;
  for (const PromptImage& image : images) {
    Tensor rows = own.seenRows(image.picture->sha256);
    if (!rows.defined()) {
      const Tensor pixels = pixelsOf(*image.picture, vision);
      auto part = PartialProgress::ofItem(progress, given.parts.size(), images.size());
      const double loadingEnd = tower ? 0.0 : 0.5;
      PartialProgress loading(part, 0.0, loadingEnd), computing(part, loadingEnd, 1.0);
      if (!tower)
        tower.emplace(session.checkpoint(), own.transformer().arithmetic(), loading);
      TowerHooks none;
      rows = tower->rows(pixels, none, computing);
      own.keepRows(image.picture->sha256, rows);
    }
    given.parts.push_back({image.tokens.first, rows});
  }
  return given;
}

GivenRows tracedImageRows(const Session& session, const std::vector<PromptImage>& images,
                          TowerHooks& hooks, Progress& progress) {
  GivenRows given;
  if (images.empty()) return given;
  const VisionSpec& vision = requireVision(session.spec());
  PartialProgress loading(progress, 0.0, 0.5), computing(progress, 0.5, 1.0);
  const VisionTower tower(session.checkpoint(), transformerOf(session).arithmetic(),
                          loading);
  for (const PromptImage& image : images) {
    auto part = PartialProgress::ofItem(computing, given.parts.size(), images.size());
    const Tensor pixels = pixelsOf(*image.picture, vision);
    hooks.hookSite("pixel_values", pixels);
    given.parts.push_back({image.tokens.first, tower.rows(pixels, hooks, part)});
  }
  return given;
}

}  // namespace equipatch
