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

/// The mark of the n-th of several curves (runs, matrices). ×, ◆ and an open circle are
/// not used here: ✗ and ◆ mean that tokens differ, and an open circle is an exact zero.
CurveMark numberedMark(int style);

/// The colours of numbered curves; the curve after the last one has the first colour.
constexpr int kCurveColours = 6;

enum class CurveLine { Solid, Dashed, Dotted };

/// The line of the n-th of several curves. Each round through the colours shifts the
/// lines by one, so that a colour has another line in each of three rounds.
CurveLine numberedLine(int style);

/// The mark of a curve's points; dense curves and references have none.
CurveMark markOf(const FigureCurve& curve);

/// The mark of a curve's points in print. A curve of more than 60 points has no marks. A
/// single point always has one, because it would be invisible otherwise.
CurveMark printedMark(const FigureCurve& curve);

}  // namespace equipatch
