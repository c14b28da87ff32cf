// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

struct FigurePicture {
  std::string name;  ///< of its file
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height, width, 3]

  double heightOverWidth() const {
    return static_cast<double>(height) / static_cast<double>(width);
  }
};

/// @throws Error as decodePicture
FigurePicture decodedPicture(const std::string& name, std::string_view bytes);

/// The picture, or a smaller one with at most `mostSide` pixels on a side.
FigurePicture smallPicture(const FigurePicture& picture, std::int64_t mostSide);

/// The picture in grey, with outlines where colours change. Without outlines, shapes as
/// bright as their background would vanish.
FigurePicture inGrey(const FigurePicture& picture);

/// The opacity of a map's cells over a picture.
inline constexpr double kOverPicture = 0.5;

// The layout of pictures on paper. Shares are of the panel's width.

/// The width of a picture beside its caption, and the maximum height of a row of pictures
/// with a caption.
inline constexpr double kBesideCaption = 0.5, kMostRowShare = 0.6;
/// The maximum height of a row of several pictures (in pgfplots, of a row with a
/// caption), in points.
inline constexpr double kMostRowHeight = 150.0;
/// PictureRoom's `leastWidth` and `gap`, in points.
inline constexpr double kLeastPictureWidth = 65.0, kPictureGap = 8.0;
/// The maximum height of a map over a picture, unless the figure's height is given.
inline constexpr double kMostMapShare = 1.2;

/// The rectangle in which a picture is drawn, in the unit of its PictureRoom.
struct PicturePlace {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
};

/// The room for pictures, in any unit.
struct PictureRoom {
  double width = 0.0;
  double rowHeight = 0.0;  ///< at most
  /// The minimum width reserved for each of several pictures in a row. A picture may be
  /// drawn narrower.
  double leastWidth = 0.0;
  double gap = 0.0;  ///< between pictures
};

/// Places the pictures side by side, all at the same height, in as few rows as
/// `leastWidth` allows.
std::vector<PicturePlace> picturePlaces(const std::vector<FigurePicture>& pictures,
                                        const PictureRoom& room);

/// The smallest rectangle from the origin that contains all places.
PicturePlace extentOf(const std::vector<PicturePlace>& places);

}  // namespace equipatch
