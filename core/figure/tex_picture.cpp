// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex_picture.h"

#include <algorithm>
#include <cmath>

#include "core/figure/panel_range.h"
#include "core/figure/tex_plots.h"
#include "core/figure/tex_text.h"

namespace equipatch {
namespace {

// Squares on a side; TeX is slow.
constexpr std::int64_t kMostSide = 64, kMostUnderMap = 48;
constexpr double kBeside = 0.5;      // share of the width, beside a caption
constexpr double kMostHeight = 0.6;  // of a picture with a caption, of the width
constexpr double kMostUnder = 1.2;   // of a map over a picture, of the width
constexpr double kLeastWidth = 65.0, kApart = 8.0;  // points

std::string limits(char axis, double low, double high) {
  return std::string(", ") + axis + "min=" + texNumber(low) + ", " + axis +
         "max=" + texNumber(high);
}

bool isCaptionBeside(const FigurePanel& panel) {
  return panel.pictures.size() == 1 && !panel.caption.empty();
}

/// A matrix plot with a colour for each cell. It needs two rows and two columns.
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

std::string caption(const FigurePanel& panel, double width) {
  if (panel.caption.empty()) return "";
  const bool beside = isCaptionBeside(panel);
  return "\\node[anchor=north west, font=\\small, text width=" +
         texNumber(beside ? width * (1.0 - kBeside) - kApart : width) +
         "pt] at (rel axis cs:" + (beside ? "1.02,1" : "0,-0.02") + ") {" +
         texText(panel.caption) + "};\n";
}

}  // namespace

std::string texPictures(const FigurePanel& panel, const TexAxes& room,
                        const std::string& title) {
  const double width = (isCaptionBeside(panel) ? kBeside : 1.0) * room.width;
  const double height = panel.caption.empty()
                            ? room.height
                            : std::min(kMostHeight * room.width, kMostRowHeight);
  const std::vector<PicturePlace> places =
      picturePlaces(panel.pictures, {width, height, kLeastWidth, kApart});
  const PicturePlace all = extentOf(places);
  std::string text = "[" + title + "hide axis, clip=false, y dir=reverse, width=" +
                     texNumber(all.width) + "pt, height=" + texNumber(all.height) + "pt" +
                     limits('x', 0.0, all.width) + limits('y', 0.0, all.height) + "]\n";
  for (std::size_t i = 0; i < places.size(); ++i)
    text += squares(panel.pictures[i], places[i], kMostSide);
  return text + caption(panel, room.width);
}

double texCaptionHeight(const FigurePanel& panel, double width) {
  if (panel.caption.empty() || isCaptionBeside(panel)) return 0.0;
  const double letters = kTexSmallLetter * static_cast<double>(panel.caption.size());
  return kTexSmallLine * std::ceil(letters / width) + kApart;
}

std::string texUnder(const FigurePanel& panel) {
  if (!panel.under) return "";
  const FigureRange x = keyRange(panel), y = valueRange(panel);
  return squares(*panel.under, {x.low, y.low, x.high - x.low, y.high - y.low},
                 kMostUnderMap);
}

TexAxes texAxes(const FigurePanel& panel, const TexAxes& room, bool fixedHeight) {
  if (!panel.under) return room;
  const double proportion = panel.under->heightOverWidth();
  const double most = fixedHeight ? room.height : kMostUnder * room.width;
  const double height = std::min(proportion * room.width, most);
  return {.width = height / proportion, .height = height};
}

}  // namespace equipatch
