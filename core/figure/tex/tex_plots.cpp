// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/tex_plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/number_format.h"
#include "core/figure/curve_mark.h"
#include "core/figure/panel_range.h"
#include "core/figure/statistics.h"
#include "core/figure/tex/tex_marks.h"
#include "core/figure/tex/tex_ticks.h"
#include "core/text/tex_text.h"

namespace equipatch {
namespace {

constexpr int kMostColumns = 200;  // of a map; TeX's memory is small

using Numbers = std::vector<double>;

std::string coordinates(const Numbers& x, const Numbers& y) {
  std::string text = " coordinates {";
  for (std::size_t i = 0; i < x.size(); ++i)
    text += (i % 6 == 0 ? "\n  " : " ") +
            ("(" + texNumber(x[i]) + "," + texNumber(y[i]) + ")");
  return text + "\n}";
}

/// @param zero here and below: where exact zeros are drawn (texZero); 0: at 0
Numbers placed(Numbers values, double zero) {
  std::ranges::replace(values, 0.0, zero);
  return values;
}

std::string colour(int style) {
  return "equipatch" + std::to_string(style % kCurveColours);
}

/// @param own the user's colour, "#rrggbb"; empty: the style's
std::string colour(int style, const std::string& own) {
  if (own.size() != 7) return colour(style);
  const auto channel = [&own](std::size_t at) {
    return std::to_string(std::stoi(own.substr(at, 2), nullptr, 16));
  };
  return "{rgb,255:red," + channel(1) + ";green," + channel(3) + ";blue," + channel(5) +
         "}";
}

std::string drawnIn(const std::string& colour) {
  return colour.starts_with('{') ? "color=" + colour : colour;
}

/// The style whose colour the curve has, unless it is grey or the user chose a colour.
int styleOf(const FigureCurve& curve) {
  using Look = FigureCurve::Look;
  if (curve.besideRuns && !curve.isReference()) return curve.style;
  switch (curve.look) {
    case Look::Numbered:
      return curve.style;
    case Look::Distribution:
      return 2;
    case Look::Probability:
    case Look::Bare:
    case Look::Ablated:
      return 1;
    case Look::Noise:
      return 3;
    default:
      return 0;
  }
}

std::string colourOf(const FigureCurve& curve) {
  using Look = FigureCurve::Look;
  const bool grey = curve.look == Look::Reference || curve.look == Look::Margin ||
                    (curve.besideRuns && curve.isReference());
  return grey ? "gray" : colour(styleOf(curve), curve.colour);
}

/// One polygon for each part of the band without gaps. A gap is a point with a NaN or
/// infinite edge. pgfplots would break the outline of a single polygon at the gaps and
/// fill each piece as a shape of its own.
std::string band(const FigureCurve& curve, double zero) {
  const Numbers low = placed(curve.lower, zero), high = placed(curve.upper, zero);
  const auto isGap = [&](std::size_t i) {
    return !std::isfinite(low[i]) || !std::isfinite(high[i]);
  };
  std::string text;
  Numbers x, y;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (isGap(i)) continue;
    x.push_back(curve.x[i]);
    y.push_back(low[i]);
    if (i + 1 < low.size() && !isGap(i + 1)) continue;
    for (std::size_t back = i + 1, count = x.size(); count > 0; --count) {
      x.push_back(curve.x[--back]);
      y.push_back(high[back]);
    }
    text += "\\addplot[draw=none, fill=" + colour(curve.style, curve.colour) +
            ", fill opacity=0.2, forget plot]" + coordinates(x, y) + " -- cycle;\n";
    x.clear();
    y.clear();
  }
  return text;
}

std::string referenceLine(int index) {
  constexpr std::array kLines = {"densely dashed", "densely dotted", "dash dot",
                                 "loosely dashed"};
  return kLines[static_cast<std::size_t>(index) % kLines.size()];
}

std::string optionOf(CurveLine line) {
  constexpr std::array kOptions = {"", "densely dashed", "densely dotted"};
  return kOptions[static_cast<std::size_t>(line)];
}

/// References beside runs are all grey. Therefore each has its own dashes, as in the
/// window.
std::string lineBesideRuns(FigureCurve::Look look) {
  using Look = FigureCurve::Look;
  switch (look) {
    case Look::Margin:
      return "densely dotted";
    case Look::Noise:
      return "dash dot";
    case Look::Audit:
      return "loosely dashed";
    case Look::Ablated:
      return "dash dot dot";
    default:
      return "densely dashed";
  }
}

/// Empty: solid.
std::string lineOf(const FigureCurve& curve) {
  using Look = FigureCurve::Look;
  if (curve.besideRuns && curve.look != Look::Reference && curve.isReference())
    return lineBesideRuns(curve.look);
  switch (curve.look) {
    case Look::Numbered:
      return optionOf(numberedLine(curve.style));
    case Look::Margin:
      return "densely dotted";
    case Look::Audit:
      return "loosely dotted";
    case Look::Ablated:
      return "dash dot dot";
    case Look::Reference:
      return referenceLine(curve.style);
    case Look::Distribution:
      return "loosely dashed";
    case Look::Noise:
      return "dash dot";
    case Look::Patched:
      return "";
    default:
      return "densely dashed";
  }
}

std::string lookOf(const FigureCurve& curve) {
  const std::string line = lineOf(curve);
  return drawnIn(colourOf(curve)) + (line.empty() ? "" : ", " + line) +
         texMark(curve, line.empty() ? TexLine::Solid : TexLine::Broken);
}

constexpr std::string_view kOpenMark =
    "only marks, mark=*, mark size=1.5pt, mark options={fill=white}, ";

std::string zerosOf(const FigureCurve& curve, double zero) {
  Numbers x;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.y[i] == 0.0) x.push_back(curve.x[i]);
  if (x.empty()) return "";
  return "\\addplot[" + std::string(kOpenMark) + drawnIn(colourOf(curve)) +
         ", forget plot]" + coordinates(x, Numbers(x.size(), zero)) + ";\n";
}

std::string plot(const FigureCurve& curve, double zero) {
  return (curve.lower.empty() ? "" : band(curve, zero)) + "\\addplot[" + lookOf(curve) +
         "]" + coordinates(curve.x, placed(curve.y, zero)) + ";\n" +
         (zero == 0.0 ? "" : zerosOf(curve, zero));
}

std::string crossesByCurve(const FigureMarks& marks,
                           const std::vector<FigureCurve>& curves, double zero) {
  constexpr const char* kCross = "only marks, mark=x, mark size=2.5pt, thick, ";
  std::string text = "\\addlegendimage{" + std::string(kCross) + "black}\n";
  for (std::size_t curve = 0; curve < curves.size(); ++curve) {
    const FigureMarks own = marks.ofCurve(curve);
    if (!own.x.empty())
      text += "\\addplot[" + std::string(kCross) + drawnIn(colourOf(curves[curve])) +
              ", forget plot]" + coordinates(own.x, placed(own.y, zero)) + ";\n";
  }
  return text;
}

std::string plot(const FigureMarks& marks, const FigurePanel& panel, double zero) {
  const bool isMismatch = marks.symbol == FigureMarks::Symbol::Mismatch;
  if (isMismatch && panel.hasColouredMarks())
    return crossesByCurve(marks, panel.curves, zero);
  return std::string("\\addplot[only marks, ") +
         (isMismatch ? "mark=x, mark size=2.5pt, thick, equipatchred"
                     : "mark=diamond, mark size=4pt, black!80") +
         "]" + coordinates(marks.x, placed(marks.y, zero)) + ";\n";
}

constexpr double kContentHeight = 0.56;  // of a row, which is 1 high

std::string shareOf(const std::string& share, int row, const FigureRange& range) {
  if (share.empty()) return "";
  return "\\node[font=\\scriptsize, anchor=west] at (axis cs:" + texNumber(range.high) +
         "," + texNumber(row) + ") {" + texText(share) + "};\n";
}

/// Options of pgfplots, each with a comma before it. Quantiles that are not finite are
/// left out: pgfplots would draw infinite ones at the lower end of the axis. If one
/// quartile is left out, so are the other and the whiskers, because pgfplots accepts no
/// whiskers without both quartiles.
std::string quantilesOf(const FigureBox& box, double zero) {
  const auto option = [zero](const char* name, double value) {
    if (!std::isfinite(value)) return std::string();
    return ", " + std::string(name) + "=" + texNumber(value == 0.0 ? zero : value);
  };
  const std::string median = option("median", box.median);
  if (!std::isfinite(box.lowerQuartile) || !std::isfinite(box.upperQuartile))
    return median;
  return option("lower whisker", box.low) + option("lower quartile", box.lowerQuartile) +
         median + option("upper quartile", box.upperQuartile) +
         option("upper whisker", box.high);
}

std::string plot(const FigureBox& box, int row, double zero) {
  std::string text = "\\addplot[" + drawnIn(colour(box.style, box.colour)) +
                     ", mark=*, mark size=0.5pt, " +
                     "boxplot prepared={draw position=" + texNumber(row) +
                     ", box extend=" + texNumber(kContentHeight) +
                     quantilesOf(box, zero) + "}]";
  // pgfplots would read an empty table as a file name.
  std::string outliers;
  for (const double outlier : box.outliers)
    if (outlier != 0.0) outliers += texNumber(outlier) + "\\\\";
  text += outliers.empty() ? " coordinates {};\n"
                           : " table[row sep=\\\\, y index=0] {" + outliers + "};\n";
  if (zero > 0.0 && box.smallest() == 0.0)
    text += "\\addplot[" + std::string(kOpenMark) +
            drawnIn(colour(box.style, box.colour)) + "] coordinates {(" +
            texNumber(zero) + "," + texNumber(row) + ")};\n";
  return text;
}

std::string plot(const FigureBar& bar, int row) {
  const double top = row - kContentHeight / 2;
  return "\\fill[" + drawnIn(colour(bar.style, bar.colour)) + "] (axis cs:0," +
         texNumber(top) + ") rectangle (axis cs:" + texNumber(bar.share.percent()) + "," +
         texNumber(top + kContentHeight) + ");\n";
}

std::string plotRows(const FigurePanel& panel) {
  const FigureRange range = keyRange(panel);
  const double zero = texZero(panel);
  std::string text;
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
    const FigureBox& box = panel.boxes[i];
    const int row = static_cast<int>(i);
    text += plot(box, row, zero) + shareOf(equalText(box.equal), row, range);
  }
  for (std::size_t i = 0; i < panel.bars.size(); ++i) {
    const FigureBar& bar = panel.bars[i];
    const int row = static_cast<int>(i);
    text += plot(bar, row) + shareOf(shareText(bar.share), row, range);
  }
  return text;
}

/// A single row or column is drawn as two halves, because pgfplots needs at least two
/// rows and two columns.
/// @param over true: the map lies over a picture
std::string plot(const FigureMap& map, bool over) {
  const FigureRange range = colourRange(map);
  const PooledGrid pooled = pool(map.grid, 0, map.grid.columns(), kMostColumns);
  const HeatGrid& grid = pooled.grid;
  if (grid.empty()) return "";
  const int rows = std::max(2, grid.rows()), columns = std::max(2, grid.columns());
  const double width = (pooled.last - pooled.first) / columns;
  const double height = static_cast<double>(grid.rows()) / rows;
  std::string text =
      "\\addplot[matrix plot*, forget plot, point meta=explicit, mesh/cols=" +
      std::to_string(columns) +
      (over ? ", draw opacity=0, fill opacity=" + texNumber(kOverPicture) : "") +
      "] table[meta=v] {\nx y v\n";
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const float value =
          grid.at(row * grid.rows() / rows, column * grid.columns() / columns);
      text += texNumber(map.x.at(pooled.first + (column + 0.5) * width - 0.5)) + " " +
              texNumber(map.y.at((row + 0.5) * height - 0.5)) + " " +
              texNumber(colourPlace(map.colours, range, double(value))) + "\n";
    }
  return text + "};\n";
}

}  // namespace

std::string texNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return shortText(value, 6);
}

std::string texLimits(char axis, const FigureRange& range) {
  return std::string(", ") + axis + "min=" + texNumber(range.low) + ", " + axis +
         "max=" + texNumber(range.high);
}

double texZero(const FigurePanel& panel) {
  if (!hasZeros(panel)) return 0.0;
  return zeroPlace(panel.hasRows() ? keyRange(panel) : valueRange(panel),
                   leastAboveZero(panel));
}

bool hasTexPowers(const FigureMap& map) {
  return map.colours == FigureMap::Colours::RisingLogarithmic;
}

FigureRange texColours(const FigureMap& map) {
  const FigureRange range = colourRange(map);
  return {colourPlace(map.colours, range, range.low),
          colourPlace(map.colours, range, range.high)};
}

std::string texPlots(const FigurePanel& panel) {
  std::string text;
  if (panel.map) text += plot(*panel.map, panel.under != nullptr);
  if (panel.hasRows()) return text + plotRows(panel);
  const double zero = texZero(panel);
  for (const FigureCurve& curve : panel.curves)
    text +=
        curve.onRight ? "\\addlegendimage{" + lookOf(curve) + "}\n" : plot(curve, zero);
  for (const FigureMarks& marks : panel.marks) text += plot(marks, panel, zero);
  if (explainsZeros(panel))
    text += "\\addlegendimage{" + std::string(kOpenMark) + "gray}\n";
  return text;
}

std::string texCellValues(const FigurePanel& panel, const TexAxes& axes) {
  if (!panel.under || !panel.map) return "";
  const FigureMap& map = *panel.map;
  const double width = axes.width / map.grid.columns();
  const double height = axes.height / map.grid.rows();
  if (kTexScriptLine >= height) return "";
  const FigureRange range = colourRange(map);
  std::string text;
  for (int row = 0; row < map.grid.rows(); ++row)
    for (int column = 0; column < map.grid.columns(); ++column) {
      const std::string value = cellText(range, double(map.grid.at(row, column)));
      // Stops early, because a map from an untrusted file may have millions of cells.
      if (kTexScriptLetter * double(lettersOf(value)) >= width) return "";
      text +=
          "\\node[font=\\scriptsize, fill=white, fill opacity=0.6, text opacity=1, "
          "inner sep=0.7pt] at (axis cs:" +
          texNumber(map.x.at(column)) + "," + texNumber(map.y.at(row)) + ") {" +
          texText(value) + "};\n";
    }
  return text;
}

std::string texRightPlots(const FigurePanel& panel) {
  std::string text;
  for (const FigureCurve& curve : panel.curves)
    if (curve.onRight) text += plot(curve, 0.0);
  return text;
}

}  // namespace equipatch
