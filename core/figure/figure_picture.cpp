// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_picture.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include "core/image/picture.h"
#include "core/image/pixels.h"

namespace equipatch {

namespace {

constexpr int kHalf = 128;
constexpr int kLeastEdge = 40;  // of 255; smaller differences count as noise

/// Luma by ITU-R BT.601.
int lumaOf(const std::uint8_t* rgb) {
  return (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000;
}

/// The largest difference, in any channel, between the left and right or the upper and
/// lower neighbours of a pixel.
/// @param reach the distance of these neighbours, in pixels
int edgeAt(const FigurePicture& picture, std::int64_t row, std::int64_t column,
           std::int64_t reach) {
  const auto pixel = [&](std::int64_t y, std::int64_t x) {
    y = std::clamp<std::int64_t>(y, 0, picture.height - 1);
    x = std::clamp<std::int64_t>(x, 0, picture.width - 1);
    return picture.rgb.data() + 3 * (y * picture.width + x);
  };
  const std::uint8_t *left = pixel(row, column - reach), *up = pixel(row - reach, column);
  const std::uint8_t *right = pixel(row, column + reach),
                     *down = pixel(row + reach, column);
  int most = 0;
  for (int channel = 0; channel < 3; ++channel)
    most = std::max({most, std::abs(right[channel] - left[channel]),
                     std::abs(down[channel] - up[channel])});
  return most;
}

}  // namespace

FigurePicture inGrey(const FigurePicture& picture) {
  constexpr std::int64_t kFine = 256;  // pixels of the longer side per pixel of reach
  const std::int64_t reach =
      std::max<std::int64_t>(1, std::max(picture.width, picture.height) / kFine);
  FigurePicture grey = picture;
  std::uint8_t* at = grey.rgb.data();
  for (std::int64_t row = 0; row < picture.height; ++row)
    for (std::int64_t column = 0; column < picture.width; ++column, at += 3) {
      const int brightness = lumaOf(at);
      const int edge = edgeAt(picture, row, column, reach);
      const int change = edge < kLeastEdge ? 0 : std::min(edge, kHalf) / 2;
      const int level = brightness + (brightness < kHalf ? change : -change);
      std::fill_n(at, 3, static_cast<std::uint8_t>(level));
    }
  return grey;
}

FigurePicture decodedPicture(const std::string& name, std::string_view bytes) {
  Picture decoded = decodePicture(std::as_bytes(std::span(bytes)), name);
  return {.name = name,
          .width = decoded.width,
          .height = decoded.height,
          .rgb = std::move(decoded.rgb)};
}

FigurePicture smallPicture(const FigurePicture& picture, std::int64_t mostSide) {
  const std::int64_t longer = std::max(picture.width, picture.height);
  if (longer <= mostSide) return picture;
  const auto side = [&](std::int64_t pixels) {
    return std::max<std::int64_t>(1, pixels * mostSide / longer);
  };
  Picture small = resized({picture.width, picture.height, picture.rgb},
                          side(picture.width), side(picture.height));
  return {.name = picture.name,
          .width = small.width,
          .height = small.height,
          .rgb = std::move(small.rgb)};
}

std::vector<PicturePlace> picturePlaces(const std::vector<FigurePicture>& pictures,
                                        const PictureRoom& room) {
  const std::size_t count = pictures.size();
  if (count == 0) return {};
  const auto fitting = static_cast<std::size_t>(
      std::max(1.0, (room.width + room.gap) / (room.leastWidth + room.gap)));
  const std::size_t rows = (count + fitting - 1) / fitting;
  const std::size_t columns = (count + rows - 1) / rows;
  double height = room.rowHeight;
  for (std::size_t first = 0; first < count; first += columns) {
    const std::size_t end = std::min(first + columns, count);
    double width = 0.0;  // of the row's pictures, for a height of 1
    for (std::size_t i = first; i < end; ++i)
      width += 1.0 / pictures[i].heightOverWidth();
    const double gaps = room.gap * static_cast<double>(end - first - 1);
    height = std::min(height, (room.width - gaps) / width);
  }
  std::vector<PicturePlace> places;
  for (std::size_t i = 0; i < count; ++i) {
    const bool begins = i % columns == 0;
    const std::size_t row = i / columns;
    places.push_back(
        {.left = begins ? 0.0 : places.back().left + places.back().width + room.gap,
         .top = static_cast<double>(row) * (height + room.gap),
         .width = height / pictures[i].heightOverWidth(),
         .height = height});
  }
  return places;
}

PicturePlace extentOf(const std::vector<PicturePlace>& places) {
  PicturePlace extent;
  for (const PicturePlace& place : places) {
    extent.width = std::max(extent.width, place.left + place.width);
    extent.height = std::max(extent.height, place.top + place.height);
  }
  return extent;
}

}  // namespace equipatch
