// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_picture.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/image/picture.h"
#include "core/image/pixels.h"

namespace equipatch {

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
    places.push_back(
        {.left = begins ? 0.0 : places.back().left + places.back().width + room.gap,
         .top = static_cast<double>(i / columns) * (height + room.gap),
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
