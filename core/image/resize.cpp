// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/image/pixels.h"

namespace equipatch {
namespace {

constexpr int kFractionBits = 22;  // as Pillow's PRECISION_BITS

/// The source pixels of one target pixel, with fixed-point weights.
struct Taps {
  std::int64_t first = 0;
  std::vector<std::int32_t> weights;
};

/// Bilinear; if the picture shrinks, weights reach `scale` source pixels to each side.
std::vector<Taps> tapsOf(std::int64_t from, std::int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double reach = std::max(scale, 1.0), shrink = 1.0 / reach;
  std::vector<Taps> all;
  std::vector<double> weights;
  for (std::int64_t target = 0; target < to; ++target) {
    const double centre = (static_cast<double>(target) + 0.5) * scale;
    const auto first =
        std::max<std::int64_t>(static_cast<std::int64_t>(centre - reach + 0.5), 0);
    const std::int64_t end =
        std::min(static_cast<std::int64_t>(centre + reach + 0.5), from);
    double sum = 0.0;
    weights.clear();
    for (std::int64_t source = first; source < end; ++source) {
      const double distance =
          std::abs((static_cast<double>(source) - centre + 0.5) * shrink);
      weights.push_back(std::max(0.0, 1.0 - distance));
      sum += weights.back();
    }
    Taps taps{.first = first, .weights = {}};
    for (const double weight : weights)
      taps.weights.push_back(static_cast<std::int32_t>(
          0.5 + (sum != 0.0 ? weight / sum : weight) * (1 << kFractionBits)));
    all.push_back(std::move(taps));
  }
  return all;
}

/// Σ weight · byte over bytes that are `stride` apart, rounded to 8 bits.
std::uint8_t weighted(const Taps& taps, const std::uint8_t* from, std::int64_t stride) {
  std::int64_t sum = std::int64_t{1} << (kFractionBits - 1);
  for (const std::int32_t weight : taps.weights) {
    sum += std::int64_t{weight} * *from;
    from += stride;
  }
  return static_cast<std::uint8_t>(
      std::clamp<std::int64_t>(sum >> kFractionBits, 0, 255));
}

Picture withWidth(const Picture& picture, std::int64_t width) {
  const std::vector<Taps> taps = tapsOf(picture.width, width);
  Picture result{.width = width, .height = picture.height, .rgb = {}};
  result.rgb.reserve(static_cast<std::size_t>(3 * width * picture.height));
  for (std::int64_t row = 0; row < picture.height; ++row)
    for (const Taps& tap : taps)
      for (std::int64_t channel = 0; channel < 3; ++channel)
        result.rgb.push_back(weighted(
            tap, picture.rgb.data() + 3 * (row * picture.width + tap.first) + channel,
            3));
  return result;
}

Picture withHeight(const Picture& picture, std::int64_t height) {
  const std::int64_t stride = 3 * picture.width;
  Picture result{.width = picture.width, .height = height, .rgb = {}};
  result.rgb.reserve(static_cast<std::size_t>(stride * height));
  for (const Taps& tap : tapsOf(picture.height, height))
    for (std::int64_t at = 0; at < stride; ++at)
      result.rgb.push_back(
          weighted(tap, picture.rgb.data() + tap.first * stride + at, stride));
  return result;
}

}  // namespace

Picture resized(const Picture& picture, std::int64_t width, std::int64_t height) {
  Picture result = picture.width == width ? picture : withWidth(picture, width);
  return result.height == height ? result : withHeight(result, height);
}

}  // namespace equipatch
