// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/tex_marks.h"

#include "core/figure/curve_mark.h"

namespace equipatch {
namespace {

constexpr const char* kTexStar = "equipatchstar";

/// For an inverted triangle, markOptions adds the rotation.
const char* markName(CurveMark::Shape shape) {
  using Shape = CurveMark::Shape;
  switch (shape) {
    case Shape::Disc:
      return "*";
    case Shape::Square:
      return "square*";
    case Shape::Triangle:
    case Shape::InvertedTriangle:
      return "triangle*";
    case Shape::Plus:
      return "+";
    case Shape::Star:
      return kTexStar;
    case Shape::None:
      break;
  }
  return "none";
}

/// One list of options, because a second `mark options` would replace the first.
std::string markOptions(const CurveMark& mark, TexLine line) {
  std::string options;
  const auto add = [&options](const char* option) {
    options += (options.empty() ? "" : ", ") + std::string(option);
  };
  if (line == TexLine::Broken) add("solid");
  if (mark.shape == CurveMark::Shape::InvertedTriangle) add("rotate=180");
  if (mark.open) add("fill=white");
  return options.empty() ? "" : ", mark options={" + options + "}";
}

}  // namespace

std::string texMark(const FigureCurve& curve, TexLine line) {
  const CurveMark mark = printedMark(curve);
  if (mark == CurveMark{}) return ", mark=none";
  return std::string(", mark=") + markName(mark.shape) + ", mark size=1pt" +
         markOptions(mark, line);
}

std::string texStarMark() {
  std::string text = "\\pgfdeclareplotmark{" + std::string(kTexStar) + "}{%\n";
  for (const char* angle : {"0", "45", "90", "135"}) {
    const std::string end = "to{\\pgfqpointpolar{" + std::string(angle) + "}{";
    text += "\\pgfpathmove" + end + "-\\pgfplotmarksize}}\\pgfpathline" + end +
            "\\pgfplotmarksize}}%\n";
  }
  return text + "\\pgfusepathqstroke}%\n";
}

}  // namespace equipatch
