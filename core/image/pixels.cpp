// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/pixels.h"

namespace equipatch {

std::vector<float> pixelValues(const Picture& picture, const PixelRule& rule,
                               std::int64_t side) {
  const Picture square = resized(picture, side, side);
  std::vector<float> values;
  values.reserve(square.rgb.size());
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t at = channel; at < square.rgb.size(); at += 3) {
      const auto scaled = static_cast<float>(square.rgb[at] * rule.rescaleFactor);
      values.push_back((scaled - rule.mean[channel]) / rule.deviation[channel]);
    }
  return values;
}

}  // namespace equipatch
