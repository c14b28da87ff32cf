// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_tex.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/figure/panel_range.h"
#include "core/figure/tex_plots.h"
#include "core/image/pixels.h"

namespace equipatch {
namespace {

constexpr double kGap = 0.55;        // inches between panels, for labels
constexpr double kProportion = 0.7;  // a panel's height over its width
constexpr double kRowHeight = 0.3;   // inches, of a box or a bar with its name

std::string ticks(const FigureAxis& axis) {
  if (axis.names.empty()) return "";
  std::string places;
  std::string labels;
  for (std::size_t i = 0; i < axis.names.size(); ++i) {
    places += (i ? "," : "") + std::to_string(i);
    labels += (i ? "," : "") + ("{" + texText(axis.names[i]) + "}");
  }
  return ", xtick={" + places + "}, xticklabels={" + labels +
         "}, x tick label style={rotate=90, anchor=east, font=\\tiny}";
}

/// Thick ticks outside the axes at the marked numbers.
std::string markedTicks(char name, const FigureAxis& axis) {
  if (axis.marked.empty()) return "";
  const std::string extra = std::string(", extra ") + name + " tick";
  std::string places;
  for (const std::int64_t place : axis.marked)
    places += (places.empty() ? "" : ",") + std::to_string(place);
  return extra + "s={" + places + "}" + extra + " labels={}" + extra +
         " style={grid=none, tick align=outside, major tick length=4pt, tick "
         "style={black, line width=1.6pt}}";
}

/// The legend's entries, in drawing order.
std::vector<std::string> legendOf(const FigurePanel& panel) {
  std::vector<std::string> names;
  for (const FigureCurve& curve : panel.curves) names.push_back(texText(curve.name));
  for (const FigureMarks& marks : panel.marks) names.push_back(texText(marks.name));
  if (hasZeros(panel) && !panel.hasRows()) names.push_back(kZeroName);
  return names;
}

/// Places the legend above the axes and moves a title up.
std::string legendOptions(const std::vector<std::string>& names, bool hasTitle) {
  constexpr std::size_t kColumns = 2, kLine = 9;  // points
  const std::size_t lines = (names.size() + kColumns - 1) / kColumns;
  std::string text = ", legend style={at={(0,1.02)}, anchor=south west, legend columns=" +
                     std::to_string(kColumns) + "}, legend entries={";
  for (const std::string& name : names) text += "{" + name + "},";
  text.back() = '}';
  if (hasTitle) text += ", title style={yshift=" + std::to_string(lines * kLine) + "pt}";
  return text;
}

std::string limits(char axis, const FigureRange& range) {
  return std::string(", ") + axis + "min=" + texNumber(range.low) + ", " + axis +
         "max=" + texNumber(range.high);
}

/// About six powers of ten; none for a range that is empty or not finite.
std::string powerTicks(double low, double high) {
  if (!(low > 0.0) || !(low <= high) || !std::isfinite(high)) return {};
  const int first = static_cast<int>(std::ceil(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  const int every = std::max(1, (last - first + 5) / 6);
  std::string ticks;
  for (int exponent = last; exponent >= first; exponent -= every)
    ticks += (ticks.empty() ? "1e" : ",1e") + std::to_string(exponent);
  return ticks;
}

/// A tick at the exact zeros of a logarithmic axis, without the ticks whose labels it
/// would cover.
std::string zeroTick(const FigurePanel& panel) {
  if (!hasZeros(panel)) return "";
  const std::string axis = panel.hasRows() ? "x" : "y";
  const FigureRange range = panel.hasRows() ? keyRange(panel) : valueRange(panel);
  return ", " + axis + "tick={" + powerTicks(firstPlaceAboveZero(range), range.high) +
         "}, extra " + axis + " ticks={" + texNumber(texZero(panel)) + "}, extra " +
         axis + " tick labels={0}";
}

std::string options(const FigurePanel& panel) {
  std::string text =
      "title={" + texText(panel.title) + "}, xlabel={" + texText(panel.x.title()) +
      "}, " +
      (panel.hasRows() ? "y dir=reverse, ytick=\\empty, boxplot/draw direction=x"
                       : "ylabel={" + texText(panel.y.title()) + "}") +
      ticks(panel.x) + markedTicks('x', panel.x) + markedTicks('y', panel.y) +
      limits('x', keyRange(panel)) + limits('y', valueRange(panel)) + zeroTick(panel);
  if (panel.x.scale == FigureScale::Logarithmic) text += ", xmode=log";
  if (panel.y.scale == FigureScale::Logarithmic) text += ", ymode=log";
  if (panel.right) text += ", axis y line*=left";
  if (!panel.map) return text;
  const FigureMap& map = *panel.map;
  const auto [low, high] = texColours(map);
  const bool rising = !map.isAroundZero();
  return text + ", enlargelimits=false, colorbar, colormap name=equipatch" +
         (rising ? "rising" : "") + ", point meta min=" + texNumber(low) +
         ", point meta max=" + texNumber(high) + ", colorbar style={title={" +
         (hasTexPowers(map) ? "$\\log_{10}$ " : "") + texText(map.label) + "}}";
}

/// An image as small squares of colour. A separate image file would have to be found by
/// the document that includes this one.
std::string plottedPicture(const FigurePicture& picture) {
  constexpr std::int64_t kMostSide = 64;
  const std::int64_t longer = std::max(picture.width, picture.height);
  const auto side = [&](std::int64_t pixels) {
    return longer <= kMostSide ? pixels
                               : std::max<std::int64_t>(1, pixels * kMostSide / longer);
  };
  const Picture small = resized({picture.width, picture.height, picture.rgb},
                                side(picture.width), side(picture.height));
  std::string text = "\\nextgroupplot[hide axis, axis equal image, y dir=reverse" +
                     limits('x', {0.0, static_cast<double>(small.width)}) +
                     limits('y', {0.0, static_cast<double>(small.height)}) + "]\n";
  const std::uint8_t* at = small.rgb.data();
  for (std::int64_t row = 0; row < small.height; ++row)
    for (std::int64_t column = 0; column < small.width; ++column, at += 3)
      text += "\\fill[fill={rgb,255:red," + std::to_string(at[0]) + ";green," +
              std::to_string(at[1]) + ";blue," + std::to_string(at[2]) +
              "}] (axis cs:" + std::to_string(column) + "," + std::to_string(row) +
              ") rectangle (axis cs:" + std::to_string(column + 1) + "," +
              std::to_string(row + 1) + ");\n";
  if (picture.caption.empty()) return text;
  return text +
         "\\node[anchor=north west, font=\\small, text width=1.4in] at (rel axis "
         "cs:1.05,0) {" +
         texText(picture.caption) + "};\n";
}

/// @param legend empty: none, or the same as in the panel before
std::string plotted(const FigurePanel& panel, const std::vector<std::string>& legend) {
  if (panel.picture) return plottedPicture(*panel.picture);
  std::string text = "\\nextgroupplot[" + options(panel);
  if (!legend.empty()) text += legendOptions(legend, !panel.title.empty());
  text += "]\n";
  return text + texPlots(panel);
}

/// The curves of the right axis, over a panel that was plotted.
/// @param place of the panel in the group: "c1r2"
/// @param size options of every panel
std::string plotRight(const FigurePanel& panel, const std::string& place,
                      const std::string& size) {
  std::string text = "\\begin{axis}[at={(group " + place +
                     ".south west)}, anchor=south west, axis x line=none, axis y "
                     "line*=right, ylabel={" +
                     texText(panel.right->label) + "}" + limits('x', keyRange(panel)) +
                     limits('y', rightRange(panel)) + ", " + size;
  if (panel.x.scale == FigureScale::Logarithmic) text += ", xmode=log";
  if (panel.right->scale == FigureScale::Logarithmic) text += ", ymode=log";
  return text + "]\n" + texRightPlots(panel) + "\\end{axis}\n";
}

/// The window's colours for light backgrounds.
constexpr std::string_view kColours =
    "\\definecolor{equipatch0}{HTML}{0072B2}\\definecolor{equipatch1}{HTML}{D98200}%\n"
    "\\definecolor{equipatch2}{HTML}{008F68}\\definecolor{equipatch3}{HTML}{B35C92}%\n"
    "\\definecolor{equipatch4}{HTML}{3A9BD1}\\definecolor{equipatch5}{HTML}{8A6D1D}%\n"
    "\\definecolor{equipatchred}{HTML}{C8102E}%\n"
    "\\pgfplotsset{colormap={equipatch}{rgb255=(8,58,107) rgb255=(74,155,212) "
    "rgb255=(248,248,248) rgb255=(232,151,63) rgb255=(122,50,0)}}%\n"
    "\\pgfplotsset{colormap={equipatchrising}{rgb255=(59,15,82) rgb255=(58,82,139) "
    "rgb255=(32,144,141) rgb255=(93,200,99) rgb255=(251,230,37)}}%\n";

/// One comment line: line breaks become spaces.
std::string comment(const std::string& json) {
  std::string line = "% provenance: ";
  for (const char character : json) line += character == '\n' ? ' ' : character;
  return line + "\n";
}

}  // namespace

std::string figureTex(const Figure& figure, const TexSize& size) {
  const int columns = figure.columns;
  const int count = static_cast<int>(figure.panels.size());
  const int rows = (count + columns - 1) / columns;
  const double width = (size.width - kGap * columns) / columns;
  std::size_t mostRows = 0;
  for (const FigurePanel& panel : figure.panels)
    mostRows = std::max(mostRows, panel.rows());
  const double height =
      size.height > 0
          ? (size.height - kGap * rows) / rows
          : std::max(kProportion * width, kRowHeight * static_cast<double>(mostRows));
  const std::string panelSize =
      "scale only axis, width=" + texNumber(width) + "in, height=" + texNumber(height) +
      "in, unbounded coords=jump, title style={font=\\small}, label "
      "style={font=\\small}, "
      "tick label style={font=\\footnotesize}";
  std::string text =
      "% Made by Equipatch " EQUIPATCH_VERSION
      ". In the preamble: \\usepackage{pgfplots}\n"
      "% \\pgfplotsset{compat=1.16} \\usepgfplotslibrary{groupplots,statistics}\n" +
      comment(figure.provenance) + std::string(kColours) +
      "\\begin{tikzpicture}\n\\begin{groupplot}[group style={group size=" +
      std::to_string(columns) + " by " + std::to_string(rows) +
      ", horizontal sep=" + texNumber(kGap) +
      "in, vertical sep=" + texNumber(1.2 * kGap) + "in}, " + panelSize +
      ", legend style={font=\\tiny, draw=none}, legend cell align=left]\n";
  std::vector<std::string> last;
  for (const FigurePanel& panel : figure.panels) {
    const std::vector<std::string> legend = legendOf(panel);
    const bool repeats = legend.size() < 2 || legend == last;
    text += plotted(panel, repeats ? std::vector<std::string>() : legend);
    last = legend;
  }
  for (int empty = count; empty < columns * rows; ++empty)
    text += "\\nextgroupplot[group/empty plot]\n";
  text += "\\end{groupplot}\n";
  for (int i = 0; i < count; ++i)
    if (const FigurePanel& panel = figure.panels[static_cast<std::size_t>(i)];
        panel.right)
      text += plotRight(
          panel,
          "c" + std::to_string(i % columns + 1) + "r" + std::to_string(i / columns + 1),
          panelSize);
  return text + "\\end{tikzpicture}\n";
}

}  // namespace equipatch
