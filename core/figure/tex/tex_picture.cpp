// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/tex_picture.h"

#include <algorithm>
#include <cmath>

#include "core/figure/panel_range.h"
#include "core/figure/tex/tex_plots.h"
#include "core/text/tex_text.h"

namespace equipatch {
namespace {

// The maximum number of squares on a side; low, because TeX is slow.
constexpr std::int64_t kMostSide = 64, kMostUnderMap = 48;

/// A single row or column is drawn as two halves, because pgfplots needs at least two
/// rows and two columns.
std::string squares(const FigurePicture& picture, const PicturePlace& place,
                    std::int64_t mostSide) {
  const FigurePicture small = smallPicture(picture, mostSide);
  const std::int64_t rows = std::max<std::int64_t>(2, small.height);
  const std::int64_t columns = std::max<std::int64_t>(2, small.width);
  std::string text =
      "\\addplot[matrix plot*, forget plot, mesh/cols=" + std::to_string(columns) +
      ", mesh/color input=explicit, point meta=explicit symbolic] table[meta=c] {\n"
      "x y c\n";
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::uint8_t* rgb =
          small.rgb.data() +
          3 * (row * small.height / rows * small.width + column * small.width / columns);
      text += texNumber(place.left + place.width * (static_cast<double>(column) + 0.5) /
                                         static_cast<double>(columns)) +
              " " +
              texNumber(place.top + place.height * (static_cast<double>(row) + 0.5) /
                                        static_cast<double>(rows)) +
              " rgb255=" + std::to_string(rgb[0]) + "," + std::to_string(rgb[1]) + "," +
              std::to_string(rgb[2]) + "\n";
    }
  return text + "};\n";
}

std::vector<PicturePlace> placesOf(const FigurePanel& panel, const TexAxes& room) {
  const double width = (panel.isCaptionBeside() ? kBesideCaption : 1.0) * room.width;
  const double height =
      panel.caption.empty()
          ? room.height
          : std::min({kMostRowShare * room.width, kMostRowHeight, room.height});
  return picturePlaces(panel.pictures, {width, height, kLeastPictureWidth, kPictureGap});
}

/// @param width of the panel, points
/// @param pictures the total width of the pictures, points
std::string caption(const FigurePanel& panel, double width, double pictures) {
  if (panel.caption.empty()) return "";
  const bool beside = panel.isCaptionBeside();
  return "\\node[anchor=north west, font=\\small, text width=" +
         texNumber(beside ? width * (1.0 - kBesideCaption) - kPictureGap : width) +
         "pt, inner sep=0pt] at " +
         (beside ? "(axis cs:" + texNumber(pictures + kPictureGap) + ",0)"
                 : std::string("(rel axis cs:0,-0.02)")) +
         " {" + texText(panel.caption) + "};\n";
}

}  // namespace

std::string texPictures(const FigurePanel& panel, const TexAxes& room,
                        const std::string& title) {
  const std::vector<PicturePlace> places = placesOf(panel, room);
  const PicturePlace all = extentOf(places);
  std::string text = "[" + title + "hide axis, clip=false, y dir=reverse, width=" +
                     texNumber(room.width) + "pt, height=" + texNumber(all.height) +
                     "pt" + texLimits('x', {0.0, room.width}) +
                     texLimits('y', {0.0, all.height}) + "]\n";
  for (std::size_t i = 0; i < places.size(); ++i)
    text += squares(panel.pictures[i], places[i], kMostSide);
  return text + caption(panel, room.width, all.width);
}

double texPicturesHeight(const FigurePanel& panel, const TexAxes& room) {
  return extentOf(placesOf(panel, room)).height;
}

double texCaptionHeight(const FigurePanel& panel, double width) {
  if (panel.caption.empty() || panel.isCaptionBeside()) return 0.0;
  const double letters = kTexSmallLetter * static_cast<double>(lettersOf(panel.caption));
  return kTexSmallLine * std::ceil(letters / width) + kPictureGap;
}

std::string texUnder(const FigurePanel& panel) {
  if (!panel.under) return "";
  const FigureRange x = keyRange(panel), y = valueRange(panel);
  return squares(*panel.under, {x.low, y.low, x.high - x.low, y.high - y.low},
                 kMostUnderMap);
}

TexAxes texAxes(const FigurePanel& panel, const TexAxes& room, bool fixedHeight) {
  if (isSquareMap(panel)) {
    const double side = std::min(room.width, room.height);
    return {.width = side, .height = side};
  }
  if (!panel.under) return room;
  const double proportion = panel.under->heightOverWidth();
  const double most = fixedHeight ? room.height : kMostMapShare * room.width;
  const double height = std::min(proportion * room.width, most);
  return {.width = height / proportion, .height = height};
}

}  // namespace equipatch
