// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"

namespace equipatch {

/// The mark on the points of a curve.
struct CurveMark {
  enum class Shape {
    None,
    Disc,
    Square,
    Triangle,
    InvertedTriangle,
    Plus,
    Star  ///< of eight arms
  };

  Shape shape = Shape::None;
  bool open = false;  ///< only the outline has the curve's colour

  bool operator==(const CurveMark&) const = default;
};

/// The mark of a numbered curve with this style. Never ×, ◆ or an open circle: ✗ and ◆
/// mean that tokens differ, and an open circle is an exact zero.
CurveMark numberedMark(int style);

/// The number of colours of numbered curves. Later curves repeat the colours.
constexpr int kCurveColours = 6;

enum class CurveLine { Solid, Dashed, Dotted };

/// The line of a numbered curve with this style. Three successive curves of the same
/// colour have three different lines.
CurveLine numberedLine(int style);

/// The mark of a curve's points on the screen. Dense curves have none; of the others,
/// those with the look Numbered, Patched, Distribution or Probability have one.
CurveMark markOf(const FigureCurve& curve);

/// In print: as markOf, but no marks on a curve of more than 60 points, and always a mark
/// on a single point, which would be invisible otherwise.
CurveMark printedMark(const FigureCurve& curve);

}  // namespace equipatch
