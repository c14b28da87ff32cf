// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/curve_mark.h"

#include <array>
#include <cstddef>

namespace equipatch {

CurveMark numberedMark(int style) {
  using Shape = CurveMark::Shape;
  // Every mark must exist in QCustomPlot and in pgfplots.
  constexpr std::array<CurveMark, 9> kMarks = {
      {{Shape::Disc},
       {Shape::Square},
       {Shape::Triangle},
       {Shape::InvertedTriangle},
       {Shape::Plus},
       {Shape::Star},
       {.shape = Shape::Square, .open = true},
       {.shape = Shape::Triangle, .open = true},
       {.shape = Shape::InvertedTriangle, .open = true}}};
  return kMarks[static_cast<std::size_t>(style) % kMarks.size()];
}

CurveLine numberedLine(int style) {
  constexpr int kLines = 3;
  return static_cast<CurveLine>((style + style / kCurveColours) % kLines);
}

CurveMark markOf(const FigureCurve& curve) {
  using Look = FigureCurve::Look;
  using Shape = CurveMark::Shape;
  if (curve.dense) return {};
  switch (curve.look) {
    case Look::Numbered:
      return numberedMark(curve.style);
    case Look::Patched:
      return {Shape::Disc};
    case Look::Distribution:
      return {Shape::Square};
    case Look::Probability:
      return {Shape::Triangle};
    default:
      return {};
  }
}

CurveMark printedMark(const FigureCurve& curve) {
  constexpr std::size_t kMostPoints = 60;
  const CurveMark mark = curve.x.size() <= kMostPoints ? markOf(curve) : CurveMark{};
  return curve.x.size() == 1 && mark == CurveMark{} ? CurveMark{CurveMark::Shape::Disc}
                                                    : mark;
}

}  // namespace equipatch
