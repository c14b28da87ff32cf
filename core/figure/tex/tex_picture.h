// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"
#include "core/figure/tex/tex_ticks.h"

namespace equipatch {

// Pictures as pgfplots code: small squares of colour, at most 64 on a side, under a map
// 48. Thus a figure is one file: a document that includes it need not find a picture file
// as well.

/// The axes of a panel of pictures with its caption, without "\nextgroupplot".
/// @param room of the panel; its height limits each picture, but not several rows of them
/// @param title pgfplots options, each followed by a comma, or empty
std::string texPictures(const FigurePanel& panel, const TexAxes& room,
                        const std::string& title);
/// The height of the pictures, points.
double texPicturesHeight(const FigurePanel& panel, const TexAxes& room);
/// The height of the caption below the pictures, points; 0: none, or beside a picture.
double texCaptionHeight(const FigurePanel& panel, double width);

/// The picture under a panel's map; empty: none.
std::string texUnder(const FigurePanel& panel);
/// The size of a panel's axes in this room: all of it, a square for a square map
/// (isSquareMap), or for a map over a picture the proportions of the picture.
/// @param fixedHeight false: the height of a map over a picture is limited by
/// kMostMapShare of the width instead of the room's height
TexAxes texAxes(const FigurePanel& panel, const TexAxes& room, bool fixedHeight);

}  // namespace equipatch
