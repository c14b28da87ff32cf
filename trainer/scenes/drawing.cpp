// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/scenes/drawing.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <stdexcept>

#include "core/base/hash.h"

namespace equipatch {
namespace {

using Rgb = std::array<float, 3>;

constexpr std::array<Rgb, kColours> kPaint = {{{212, 38, 40},
                                               {38, 158, 62},
                                               {42, 82, 214},
                                               {238, 210, 40},
                                               {150, 58, 182},
                                               {242, 130, 24}}};

/// About half the height of a shape of each size, in pixels.
constexpr std::array<float, kSizes> kHalf = {6.5F, 9.5F, 13.5F};

/// The dots of each digit, one byte per row; bit 4 is the leftmost dot. A dot has
/// kDot × kDot pixels.
constexpr int kDigitWidth = 5, kDigitHeight = 7, kDot = 2;
constexpr std::array<std::array<unsigned char, kDigitHeight>, 10> kDigits = {{
    {0x0e, 0x11, 0x11, 0x15, 0x11, 0x11, 0x0e},
    {0x04, 0x0c, 0x14, 0x04, 0x04, 0x04, 0x1f},
    {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f},
    {0x1e, 0x01, 0x01, 0x0e, 0x01, 0x01, 0x1e},
    {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02},
    {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e},
    {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e},
    {0x1f, 0x01, 0x02, 0x04, 0x04, 0x08, 0x08},
    {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e},
    {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c},
}};

float uniform(Random& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random.uniform());
}

/// True if a shape around the origin covers (x, y), in units of drawShape's `half`.
bool covers(Shape shape, float x, float y) {
  constexpr float kRoundHalf = 1.05F, kSquareHalf = 0.92F, kArm = 0.36F, kHole = 0.55F;
  const float r = std::hypot(x, y);
  switch (shape) {
    case Shape::Circle:
      return r < kRoundHalf;
    case Shape::Square:
      return std::abs(x) < kSquareHalf && std::abs(y) < kSquareHalf;
    case Shape::Triangle:
      return y < 1 && std::abs(x) < (y + 1) * 0.58F;
    case Shape::Cross:
      return std::min(std::abs(x), std::abs(y)) < kArm &&
             std::max(std::abs(x), std::abs(y)) < 1;
    case Shape::Ring:
      return r < kRoundHalf && r > kHole;
    case Shape::Number:
      break;
  }
  return false;
}

/// The picture while it is being drawn, [side, side, 3]. Values may lie outside 0 to 255
/// until `finish`.
class Canvas {
 public:
  explicit Canvas(Random& random) : m_random(random) {}

  void fillBackground() {
    const float gray = uniform(m_random, 40, 220);
    const float angle = uniform(m_random, 0, 2 * std::numbers::pi_v<float>);
    const float slope = uniform(m_random, 0, 60) / kPictureSide;
    Rgb base;
    for (float& channel : base) channel = gray + uniform(m_random, -14, 14);
    for (int y = 0; y < kPictureSide; ++y)
      for (int x = 0; x < kPictureSide; ++x) {
        const auto u = static_cast<float>(x - kPictureSide / 2);
        const auto v = static_cast<float>(y - kPictureSide / 2);
        const float change = slope * (u * std::cos(angle) + v * std::sin(angle));
        for (std::size_t channel = 0; channel < 3; ++channel)
          pixel(x, y)[channel] = base[channel] + change;
      }
  }

  void draw(const Thing& thing) {
    Rgb paint = kPaint[static_cast<std::size_t>(thing.colour)];
    for (float& channel : paint) channel += uniform(m_random, -14, 14);
    constexpr float kCell = float{kPictureSide} / kPlacesPerRow;
    const bool isNumber = thing.shape == Shape::Number;
    const float half =
        kHalf[static_cast<std::size_t>(thing.size)] * uniform(m_random, 0.94F, 1.06F);
    // The largest offset from the middle of the cell along x and along y, in pixels.
    const float most = isNumber ? 2.5F : std::clamp(kCell / 2 - half - 2, 1.5F, 4.0F);
    const float x = (static_cast<float>(thing.column()) + 0.5F) * kCell +
                    uniform(m_random, -most, most);
    const float y =
        (static_cast<float>(thing.row()) + 0.5F) * kCell + uniform(m_random, -most, most);
    if (isNumber)
      drawNumber(thing.value, static_cast<int>(x), static_cast<int>(y), paint);
    else
      drawShape(thing.shape, x, y, half, paint);
  }

  /// Adds noise, rounds and clamps.
  Picture finish() {
    Picture picture{.width = kPictureSide, .height = kPictureSide, .rgb = {}};
    picture.rgb.reserve(m_values.size());
    const float amplitude = uniform(m_random, 2, 20);
    const std::uint64_t seed = m_random.next();
    for (std::size_t i = 0; i < m_values.size(); i += 3) {
      std::uint64_t bits = splitMix64(seed + i);
      for (std::size_t channel = 0; channel < 3; ++channel, bits >>= 20) {
        constexpr float kUnit = 1.0F / 1024;
        const float noise = static_cast<float>(bits & 1023) * kUnit +
                            static_cast<float>(bits >> 10 & 1023) * kUnit - 1;
        const float value = m_values[i + channel] + amplitude * noise + 0.5F;
        picture.rgb.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F)));
      }
    }
    return picture;
  }

 private:
  float* pixel(int x, int y) {
    return m_values.data() + (static_cast<std::size_t>(y) * kPictureSide + x) * 3;
  }

  void mix(int x, int y, const Rgb& paint, float share) {
    if (x < 0 || y < 0 || x >= kPictureSide || y >= kPictureSide) return;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      float& value = pixel(x, y)[channel];
      value += share * (paint[channel] - value);
    }
  }

  /// Anti-aliased: a pixel's opacity is the share of its four quarters whose centres the
  /// shape covers.
  void drawShape(Shape shape, float x, float y, float half, const Rgb& paint) {
    const int reach = static_cast<int>(half) + 3;
    for (int v = static_cast<int>(y) - reach; v <= static_cast<int>(y) + reach; ++v)
      for (int u = static_cast<int>(x) - reach; u <= static_cast<int>(x) + reach; ++u) {
        int covered = 0;
        for (const float quarterY : {0.25F, 0.75F})
          for (const float quarterX : {0.25F, 0.75F})
            covered += covers(shape, (static_cast<float>(u) + quarterX - x) / half,
                              (static_cast<float>(v) + quarterY - y) / half)
                           ? 1
                           : 0;
        if (covered > 0) mix(u, v, paint, static_cast<float>(covered) / 4);
      }
  }

  /// Draws the digits on a dark plate, so that every colour can be read on every
  /// background.
  void drawNumber(int value, int x, int y, const Rgb& paint) {
    constexpr Rgb kPlate = {18, 18, 18};
    constexpr int kMargin = 3;
    const std::string digits = std::to_string(value);
    const int width = static_cast<int>(digits.size()) * (kDigitWidth + 1) * kDot - kDot;
    const int height = kDigitHeight * kDot;
    for (int v = -height / 2 - kMargin; v < height / 2 + kMargin; ++v)
      for (int u = -width / 2 - kMargin; u < width / 2 + kMargin; ++u)
        mix(x + u, y + v, kPlate, 1);
    int left = x - width / 2;
    for (const char digit : digits) {
      const auto& rows = kDigits[static_cast<std::size_t>(digit - '0')];
      for (int v = 0; v < height; ++v)
        for (int u = 0; u < kDigitWidth * kDot; ++u)
          if (rows[static_cast<std::size_t>(v / kDot)] >> (kDigitWidth - 1 - u / kDot) &
              1)
            mix(left + u, y - height / 2 + v, paint, 1);
      left += (kDigitWidth + 1) * kDot;
    }
  }

  Random& m_random;
  std::vector<float> m_values =
      std::vector<float>(std::size_t{kPictureSide} * kPictureSide * 3);
};

}  // namespace

Picture drawScene(const Scene& scene) {
  Random random(scene.seed);
  Canvas canvas(random);
  canvas.fillBackground();
  for (const Thing& thing : scene.things) canvas.draw(thing);
  return canvas.finish();
}

std::string pngOf(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0,
                                nullptr) == 0)
    throw std::runtime_error(image.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace equipatch
