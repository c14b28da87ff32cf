// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"
#include "core/figure/tex/tex_ticks.h"

namespace equipatch {

// Pictures as pgfplots code: small squares of colour, at most 64 on a side, or 48 under
// a map. Thus a figure is a single file and refers to no picture files.

/// The axes of a panel of pictures with its caption, without "\nextgroupplot".
/// @param room of the panel; its height limits each picture, but not the sum of the rows
/// @param title pgfplots options, each followed by a comma, or empty
std::string texPictures(const FigurePanel& panel, const TexAxes& room,
                        const std::string& title);
/// The height of the pictures, points.
double texPicturesHeight(const FigurePanel& panel, const TexAxes& room);
/// The height of the caption below the pictures, points; 0 if there is no caption
/// or it stands beside a picture.
double texCaptionHeight(const FigurePanel& panel, double width);

/// The picture under a panel's map; empty: none.
std::string texUnder(const FigurePanel& panel);
/// The size of a panel's axes. A square map (isSquareMap) has square axes, a map over a
/// picture has the picture's proportions, and any other panel fills the room.
/// @param fixedHeight true: the room's height limits the height of a map over a picture;
/// false: kMostMapShare of the room's width does
TexAxes texAxes(const FigurePanel& panel, const TexAxes& room, bool fixedHeight);

}  // namespace equipatch
