// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/ids.h"
#include "core/checkpoint/layer_spec.h"

namespace equipatch {

/// How a byte of a channel becomes a pixel value: (float(byte · rescaleFactor) − mean) /
/// deviation. `mean` and `deviation` hold one number each for red, green and blue.
struct PixelRule {
  double rescaleFactor = 1.0 / 255.0;
  std::array<float, 3> mean{0.5F, 0.5F, 0.5F};
  std::array<float, 3> deviation{0.5F, 0.5F, 0.5F};

  bool operator==(const PixelRule&) const = default;
};

/// A vision tower (SigLIP) and its projector, which turn an image into `tokens` rows of
/// the text model's width:
///   x = W_patch p + b + position embedding, for each patch p of `patch` × `patch` pixels
///   each layer: x += W_o attention(LayerNorm(x));
///               x += W_down activation(W_in LayerNorm(x))
///   then LayerNorm; the mean of k × k neighbours, k = grid / pooledGrid; an RMSNorm; the
///   projector's matrix
struct VisionSpec {
  std::int64_t width = 0;
  std::int64_t mlpWidth = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t imageSize = 0;  ///< side of the square image, in pixels
  std::int64_t patch = 0;      ///< side of a patch, in pixels
  double normEps = 1e-6;
  Activation activation = Activation::GeluTanh;

  std::int64_t tokens = 0;  ///< of an image in the prompt
  TokenId imageToken;       ///< id of every token of an image
  TokenId beginToken;       ///< before an image's tokens; marks its place in a text
  TokenId endToken;         ///< after an image's tokens

  PixelRule pixels;  ///< from the folder's preprocessor_config.json

  /// Why this model takes no images, unlike others of its class; empty: it takes images.
  std::string problem;

  std::int64_t grid() const { return imageSize / patch; }  ///< patches on a side
  std::int64_t patches() const { return grid() * grid(); }
  std::int64_t pooledGrid() const;  ///< image tokens on a side
  std::int64_t headDim() const { return width / heads; }
  /// Floating-point operations for one image.
  double operations(std::int64_t textWidth) const;
};

/// Reads the folder's preprocessor_config.json. Ignores keys that do not concern pixels,
/// because the file also has other settings of the family's processor.
/// @throws Error{BadInput} if the file is missing or damaged or contradicts the tower;
///         Error{Unsupported} for preprocessing that Equipatch does not implement.
PixelRule readPixelRule(const std::filesystem::path& folder, const VisionSpec& vision);

}  // namespace equipatch
