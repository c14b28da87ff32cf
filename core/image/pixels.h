// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/vision_spec.h"
#include "core/image/picture.h"

namespace equipatch {

/// Gives the same pixels as Pillow's `resize` with its BILINEAR filter: resizes
/// horizontally, rounds to 8 bits, then resizes vertically.
Picture resized(const Picture& picture, std::int64_t width, std::int64_t height);

/// The vision tower's input [3, side, side]: the picture resized to side × side, rescaled
/// and normalised as in Hugging Face's image processor.
std::vector<float> pixelValues(const Picture& picture, const PixelRule& rule,
                               std::int64_t side);

}  // namespace equipatch
