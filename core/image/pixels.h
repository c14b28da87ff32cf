// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/vision_spec.h"
#include "core/image/picture.h"

namespace equipatch {

/// The picture at width × height, as Pillow's bilinear filter with antialiasing gives it,
/// to the last bit: the rows first, rounded to 8 bits, then the columns.
Picture resized(const Picture& picture, std::int64_t width, std::int64_t height);

/// The vision tower's input: the picture at side × side, scaled and normalised as by
/// Hugging Face's image processor, [3, side, side].
std::vector<float> pixelValues(const Picture& picture, const PixelRule& rule,
                               std::int64_t side);

}  // namespace equipatch
