// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/figure_tex.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/figure/panel_range.h"
#include "core/figure/tex/tex_marks.h"
#include "core/figure/tex/tex_page.h"
#include "core/figure/tex/tex_picture.h"
#include "core/figure/tex/tex_plots.h"
#include "core/figure/tex/tex_ticks.h"
#include "core/text/tex_text.h"

namespace equipatch {
namespace {

constexpr double kLeastWidth = 1.3;  // of axes, inches; if narrower: one column

std::string legendOptions(const std::vector<std::string>& names, double width) {
  std::string text = ", legend style={at={(0,1.02)}, anchor=south west, legend columns=" +
                     std::to_string(texLegendColumns(names, width)) +
                     "}, legend entries={";
  for (const std::string& name : names)
    text += "{" + texLines(name, texLegendLetters(width)) + "},";
  text.back() = '}';
  return text;
}

/// @param legend the height in points of the legend, which is below the title
std::string titleOptions(const FigurePanel& panel, double width, double legend) {
  if (panel.title.empty()) return "";
  return "title={" + texText(panel.title) +
         "}, title style={at={(0,1)}, anchor=south west, align=left, text width=" +
         texNumber(width) + "pt, yshift=" + texNumber(legend) + "pt}, ";
}

/// @param names the width of the rows' names in points; 0: no names, because the panel to
/// the left has the same names
std::string rowOptions(const FigurePanel& panel, double names, double width) {
  constexpr double kNarrow = 100.0;  // points
  std::string text = ", ytick style={draw=none}, ytick={", labels;
  for (std::size_t row = 0; row < panel.rows(); ++row) {
    text += (row == 0 ? "" : ",") + std::to_string(row);
    const std::string name = row < panel.y.names.size() ? panel.y.names[row] : "";
    labels += (row == 0 ? "{" : ",{") +
              (names > 0.0 ? texLines(name, texNameLetters(names)) : "") + "}";
  }
  text += "}, yticklabels={" + labels +
          "}, y tick label style={font=\\scriptsize, align=right}";
  if (!panel.bars.empty())
    text += width < kNarrow ? ", xtick={0,50,100}" : ", xtick={0,25,50,75,100}";
  return text;
}

std::string options(const FigurePanel& panel, const TexAxes& axes, double names) {
  const std::string rows =
      panel.hasRows() ? rowOptions(panel, names, axes.width) : std::string();
  std::string text =
      "xlabel={" + texText(panel.x.title()) + "}, " +
      (panel.hasRows() ? "y dir=reverse, clip=false, boxplot/draw direction=x" + rows
                       : std::string(panel.y.downwards ? "y dir=reverse, " : "") +
                             "ylabel={" + texText(panel.y.title()) + "}") +
      texLimits('x', keyRange(panel)) + texLimits('y', valueRange(panel)) +
      texTicks(panel, axes);
  if (panel.right) text += ", axis y line*=left";
  if (!panel.map) return text;
  const FigureMap& map = *panel.map;
  const auto [low, high] = texColours(map);
  const bool rising = !map.isAroundZero();
  return text + ", enlargelimits=false, colorbar, colormap name=equipatch" +
         (rising ? "rising" : "") + ", point meta min=" + texNumber(low) +
         ", point meta max=" + texNumber(high) + ", colorbar style={ylabel={" +
         (hasTexPowers(map) ? "$\\log_{10}$ " : "") + texText(map.label) + "}" +
         texColourTicks(map) + "}";
}

std::string plotted(const Figure& figure, std::size_t index, const TexPage& page) {
  const FigurePanel& panel = figure.panels[index];
  const std::vector<std::string>& legend = page.legendOf(index);
  const TexAxes axes = page.axesOf(index);
  const std::string placed =
      page.shiftOf(index) +
      titleOptions(panel, axes.width, texLegendHeight(legend, axes.width));
  if (!panel.pictures.empty())
    return "\\nextgroupplot" + texPictures(panel, axes, placed);
  std::string text =
      "\\nextgroupplot[" + placed + options(panel, axes, page.namesOf(index));
  if (panel.under || isSquareMap(panel))
    text += ", width=" + texNumber(axes.width) + "pt, height=" + texNumber(axes.height) +
            "pt";
  if (!legend.empty()) text += legendOptions(legend, axes.width);
  text += "]\n";
  return text + texUnder(panel) + texPlots(panel) + texCellValues(panel, axes);
}

/// The right axis with its curves, drawn over the panel.
/// @param place of the panel in the group: "c1r2"
/// @param size the options that all panels share, such as size and fonts
std::string plotRight(const FigurePanel& panel, const std::string& place,
                      const std::string& size) {
  std::string text = "\\begin{axis}[at={(group " + place +
                     ".south west)}, anchor=south west, axis x line=none, axis y "
                     "line*=right, ylabel={" +
                     texText(panel.right->label) + "}" + texLimits('x', keyRange(panel)) +
                     texLimits('y', rightRange(panel)) + ", " + size;
  if (panel.x.scale == FigureScale::Logarithmic) text += ", xmode=log";
  if (panel.right->scale == FigureScale::Logarithmic) text += ", ymode=log";
  return text + "]\n" + texRightPlots(panel) + "\\end{axis}\n";
}

/// The window's colours for light backgrounds.
constexpr std::string_view kColours =
    "\\definecolor{equipatch0}{HTML}{0072B2}\\definecolor{equipatch1}{HTML}{D68000}%\n"
    "\\definecolor{equipatch2}{HTML}{008F68}\\definecolor{equipatch3}{HTML}{B35C92}%\n"
    "\\definecolor{equipatch4}{HTML}{2F3640}\\definecolor{equipatch5}{HTML}{8A6D1D}%\n"
    "\\definecolor{equipatchred}{HTML}{C8102E}%\n"
    "\\pgfplotsset{colormap={equipatch}{rgb255=(8,58,107) rgb255=(74,155,212) "
    "rgb255=(248,248,248) rgb255=(232,151,63) rgb255=(122,50,0)}}%\n"
    "\\pgfplotsset{colormap={equipatchrising}{rgb255=(59,15,82) rgb255=(58,82,139) "
    "rgb255=(32,144,141) rgb255=(93,200,99) rgb255=(251,230,37)}}%\n";

std::string sizeLine(double width, double height) {
  constexpr double kPage = 9.5;  // height, inches
  return "% about " + shortText(width, 3) + " x " + shortText(height, 3) + " in" +
         (height > kPage ? ", higher than a page: choose a smaller height or fewer runs"
                         : "") +
         "\n";
}

std::string comment(const std::string& json) {
  std::string line = "% provenance: ";
  for (const char character : json) line += character == '\n' ? ' ' : character;
  return line + "\n";
}

/// A comment, from which the user may copy the caption.
std::string captionLine(const Figure& figure) {
  return figure.caption.empty() ? "" : "% \\caption{" + texText(figure.caption) + "}\n";
}

Figure fittingColumns(Figure figure, const TexSize& size) {
  const bool rows = std::ranges::all_of(figure.panels, &FigurePanel::hasRows);
  if (!rows && figure.columns > 1 && TexPage(figure, size).width() < kLeastWidth)
    figure.columns = 1;
  return figure;
}

}  // namespace

std::string figureTex(const Figure& given, const TexSize& size) {
  const Figure figure = fittingColumns(given, size);
  const TexPage page(figure, size);
  if (!page.fitsWidth())
    throw badInput("the panels do not fit into a width of " + shortText(size.width, 4) +
                   " in at a type size of 10 pt; choose a larger width");
  if (!page.fitsHeight())
    throw badInput("the panels do not fit into " + shortText(size.width, 4) + " × " +
                   shortText(size.height, 4) +
                   " in at a type size of 10 pt; choose a larger height, or none");
  const std::string panelSize =
      "scale only axis, width=" + texNumber(page.width()) +
      "in, height=" + texNumber(page.height()) +
      "in, unbounded coords=jump, scaled ticks=false, /pgf/number format/1000 sep={}, "
      "title style={font=\\small}, label "
      "style={font=\\small}, "
      "tick label style={font=\\footnotesize}";
  std::string text =
      "% Made by Equipatch " EQUIPATCH_VERSION
      ". In the preamble: \\usepackage{pgfplots}\n"
      "% \\pgfplotsset{compat=1.16} \\usepgfplotslibrary{groupplots,statistics}\n" +
      sizeLine(size.width, page.totalHeight()) + comment(figure.provenance) +
      captionLine(figure) + std::string(kTexCharacter) + std::string(kColours) +
      texStarMark() +
      "\\begin{tikzpicture}\n\\begin{groupplot}[group style={group size=" +
      std::to_string(figure.columns) + " by " + std::to_string(page.rows()) +
      ", horizontal sep=" + texNumber(page.columnGap()) +
      "in, vertical sep=" + texNumber(page.largestRowGap()) + "in}, " + panelSize +
      ", legend style={font=\\scriptsize, draw=none, cells={align=left}}, legend cell "
      "align=left]\n";
  const int count = static_cast<int>(figure.panels.size());
  for (int i = 0; i < count; ++i) {
    text += plotted(figure, static_cast<std::size_t>(i), page);
  }
  for (int empty = count; empty < figure.columns * page.rows(); ++empty)
    text += "\\nextgroupplot[group/empty plot]\n";
  text += "\\end{groupplot}\n";
  for (int i = 0; i < count; ++i)
    if (const FigurePanel& panel = figure.panels[static_cast<std::size_t>(i)];
        panel.right)
      text += plotRight(panel,
                        "c" + std::to_string(i % figure.columns + 1) + "r" +
                            std::to_string(i / figure.columns + 1),
                        panelSize);
  return text + "\\end{tikzpicture}\n";
}

}  // namespace equipatch
