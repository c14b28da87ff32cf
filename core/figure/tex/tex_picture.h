// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"
#include "core/figure/tex/tex_ticks.h"

namespace equipatch {

// Pictures as pgfplots code. They consist of coloured squares, so that a figure needs no
// picture files.

/// The axes of a panel of pictures, with its caption, without "\nextgroupplot".
/// @param room the panel's; room.height limits each row of pictures, but not their sum
/// @param title pgfplots options, each followed by a comma, or empty
std::string texPictures(const FigurePanel& panel, const TexAxes& room,
                        const std::string& title);
/// The height of all rows of pictures, points.
double texPicturesHeight(const FigurePanel& panel, const TexAxes& room);
/// The height of the caption below the pictures, points; 0: no caption, or a caption
/// beside a picture.
double texCaptionHeight(const FigurePanel& panel, double width);

/// The picture under a panel's map; empty: none.
std::string texUnder(const FigurePanel& panel);
/// The size of a panel's axes. A square map (isSquareMap) has square axes, a map over a
/// picture has the picture's proportions, and any other panel fills the room.
/// @param fixedHeight selects the maximum height of a map over a picture. True: the
/// room's height; false: kMostMapShare of the room's width
TexAxes texAxes(const FigurePanel& panel, const TexAxes& room, bool fixedHeight);

}  // namespace equipatch
