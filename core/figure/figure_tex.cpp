// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_tex.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/figure/panel_range.h"
#include "core/figure/tex_picture.h"
#include "core/figure/tex_plots.h"
#include "core/figure/tex_text.h"
#include "core/figure/tex_ticks.h"

namespace equipatch {
namespace {

constexpr double kGap = 0.75;   // inches left of a panel, for its labels
constexpr double kSide = 0.65;  // inches right of a panel with a colour scale
// A panel's height over its width, up to the width of a column of a page, and beyond it,
// with its labels; as in the other formats.
constexpr double kColumn = 3.25;  // inches
constexpr double kProportion = 0.62, kProportionBeyond = 0.15;
constexpr double kLeastWidth = 1.3;  // inches; with narrower axes there is one column
constexpr double kLeastAxes = 0.35;  // inches high; lower ones have one label
constexpr double kRowHeight = 0.22;  // inches, of a box or a bar beside its name
constexpr double kRowGap = 0.2;      // inches left of rows without names

// Lengths of text in points, for a document of 10 pt.
constexpr double kPointsPerInch = 72.27;
constexpr double kLabels = 30.0;  // numbers along an axis and its label

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, lettersOf(text));
  return most;
}

/// The legend's entries, in drawing order.
std::vector<std::string> legendOf(const FigurePanel& panel) {
  std::vector<std::string> names;
  for (const FigureCurve& curve : panel.curves) names.push_back(curve.name);
  for (const FigureMarks& marks : panel.marks) names.push_back(marks.name);
  if (hasZeros(panel) && !panel.hasRows()) names.push_back(kZeroName);
  return names;
}

constexpr double kSwatch = 28.0;  // points before a legend's entry

/// Columns of a legend above axes of this width, points.
std::size_t legendColumns(const std::vector<std::string>& names, double width) {
  const double entry = kSwatch + kTexScriptLetter * static_cast<double>(longest(names));
  return std::clamp<std::size_t>(static_cast<std::size_t>(width / entry), 1,
                                 names.size());
}

/// The letters of an entry's line.
std::size_t legendLetters(double width) {
  return static_cast<std::size_t>(std::max(1.0, (width - kSwatch) / kTexScriptLetter));
}

double legendHeight(const std::vector<std::string>& names, double width) {
  if (names.empty()) return 0.0;
  const std::size_t columns = legendColumns(names, width);
  double lines = 0.0;
  for (std::size_t first = 0; first < names.size(); first += columns) {
    std::size_t most = 1;
    for (std::size_t i = first; i < std::min(first + columns, names.size()); ++i)
      most = std::max(most, brokenText(names[i], legendLetters(width)).size());
    lines += 0.3 + static_cast<double>(most);
  }
  return kTexScriptLine * lines + 4;
}

/// Places the legend above the axes.
std::string legendOptions(const std::vector<std::string>& names, double width) {
  std::string text = ", legend style={at={(0,1.02)}, anchor=south west, legend columns=" +
                     std::to_string(legendColumns(names, width)) + "}, legend entries={";
  for (const std::string& name : names)
    text += "{" + texLines(name, legendLetters(width)) + "},";
  text.back() = '}';
  return text;
}

/// The title at the left, above the legend, in as many lines as it needs.
std::string titleOptions(const FigurePanel& panel, double width, double legend) {
  if (panel.title.empty()) return "";
  return "title={" + texText(panel.title) +
         "}, title style={at={(0,1)}, anchor=south west, align=left, text width=" +
         texNumber(width) + "pt, yshift=" + texNumber(legend) + "pt}, ";
}

/// The height of a panel's title and legend, points.
double heightAbove(const FigurePanel& panel, double width, double legend) {
  if (panel.title.empty()) return legend;
  const double letters = kTexSmallLetter * static_cast<double>(lettersOf(panel.title));
  return legend + kTexSmallLine * std::ceil(letters / width) + 4;
}

/// The height of a panel's numbers or names along x and of its label, points.
double heightBelow(const FigurePanel& panel, double width) {
  if (!panel.pictures.empty()) return texCaptionHeight(panel, width);
  return kLabels + kTexScriptLetter * static_cast<double>(longest(panel.x.names));
}

/// The letters of a line of a row's name.
std::size_t nameLetters(double room) {
  return static_cast<std::size_t>(std::max(1.0, room / kTexScriptLetter));
}

/// Names beside the rows, and percents of bars that have room.
/// @param names room, points; 0: the panel to the left has the same names
std::string rowOptions(const FigurePanel& panel, double names, double width) {
  constexpr double kNarrow = 100.0;  // points
  std::string text = ", ytick style={draw=none}, ytick={", labels;
  for (std::size_t row = 0; row < panel.rows(); ++row) {
    text += (row == 0 ? "" : ",") + std::to_string(row);
    const std::string name = row < panel.y.names.size() ? panel.y.names[row] : "";
    labels += (row == 0 ? "{" : ",{") +
              (names > 0.0 ? texLines(name, nameLetters(names)) : "") + "}";
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

/// @param legend empty: none, or the same as in the panel before
/// @param names as of rowOptions
std::string plotted(const FigurePanel& panel, const std::vector<std::string>& legend,
                    const TexAxes& axes, double names) {
  const std::string title =
      titleOptions(panel, axes.width, legendHeight(legend, axes.width));
  if (!panel.pictures.empty()) return "\\nextgroupplot" + texPictures(panel, axes, title);
  std::string text = "\\nextgroupplot[" + title + options(panel, axes, names);
  if (panel.under || isSquareMap(panel))
    text += ", width=" + texNumber(axes.width) + "pt, height=" + texNumber(axes.height) +
            "pt";
  if (!legend.empty()) text += legendOptions(legend, axes.width);
  text += "]\n";
  return text + texUnder(panel) + texPlots(panel) + texCellValues(panel, axes);
}

/// The curves of the right axis, over a panel that was plotted.
/// @param place of the panel in the group: "c1r2"
/// @param size options of every panel
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
    "\\definecolor{equipatch0}{HTML}{0072B2}\\definecolor{equipatch1}{HTML}{D98200}%\n"
    "\\definecolor{equipatch2}{HTML}{008F68}\\definecolor{equipatch3}{HTML}{B35C92}%\n"
    "\\definecolor{equipatch4}{HTML}{2F3640}\\definecolor{equipatch5}{HTML}{8A6D1D}%\n"
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

/// The sizes of panels and the room between them, inches.
struct Page {
  int rows = 0;
  bool isFixed = false;                           ///< the height was given
  double width = 0.0;                             ///< of a panel's axes
  double height = 0.0;                            ///< likewise
  double between = 0.0;                           ///< columns
  double below = 0.0;                             ///< between rows
  double names = 0.0;                             ///< of rows, left of the axes
  std::vector<std::vector<std::string>> legends;  ///< by panel; empty: none

  double points() const { return width * kPointsPerInch; }
  /// The room of a panel's names of rows, points; 0: the panel to the left has them.
  double namesOf(const Figure& figure, int index) const {
    const auto at = static_cast<std::size_t>(index);
    const bool hasLeft = index % figure.columns > 0 &&
                         figure.panels[at - 1].y.names == figure.panels[at].y.names;
    return hasLeft ? 0.0 : std::max(names, kGap) * kPointsPerInch;
  }
  /// The size of a panel's axes, points. Pictures without a caption are as large as the
  /// maps over them.
  TexAxes axesOf(const Figure& figure, const FigurePanel& panel) const {
    const TexAxes room{points(), height * kPointsPerInch};
    const auto map = std::ranges::find_if(
        figure.panels, [](const FigurePanel& each) { return each.under != nullptr; });
    const bool alike = !panel.pictures.empty() && panel.caption.empty();
    return texAxes(alike && map != figure.panels.end() ? *map : panel, room, isFixed);
  }

  Page(const Figure& figure, const TexSize& size) {
    const int columns = figure.columns;
    rows = (static_cast<int>(figure.panels.size()) + columns - 1) / columns;
    isFixed = size.height > 0;
    double inner = 0.0, outer = 0.0;  // room right of panels
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const FigurePanel& panel = figure.panels[i];
      const bool last = static_cast<int>(i) % columns == columns - 1;
      double& side = last || columns == 1 ? outer : inner;
      if (panel.map || panel.right) side = kSide;
      if (hasShares(panel)) side = std::max(side, kShares);
    }
    const bool rowsOnly = std::ranges::all_of(figure.panels, &FigurePanel::hasRows);
    names = rowsOnly ? roomOfNames(figure, size.width) : 0.0;
    const double left = rowsOnly ? names + kBesideNames : kGap;
    between = (rowsOnly ? kRowGap : kGap) + inner;
    width = (size.width - left - outer - between * (columns - 1)) / columns;
    if (columns == 1) width = size.width - left - std::max(inner, outer);
    chooseLegends(figure);
    double mostRows = 0.0;
    for (const FigurePanel& panel : figure.panels)
      mostRows = std::max(mostRows, static_cast<double>(panel.rows()) * rowHeight(panel));
    below = roomBelow(figure);
    const double panel = size.width / columns, column = std::min(panel, kColumn);
    const double usual = kProportion * column + kProportionBeyond * (panel - column) -
                         kLabels / kPointsPerInch;
    // What is above the first row and below the last one is not between rows.
    const double outside = (aboveFirst(figure) + belowLast(figure)) / kPointsPerInch;
    height = size.height > 0 ? (size.height - outside - below * (rows - 1)) / rows
             : rowsOnly      ? mostRows
                             : std::max({usual, mostRows, 2 * kLeastAxes});
  }

 private:
  static constexpr double kShares = 0.5;        // inches right of rows, for shares
  static constexpr double kBesideNames = 0.08;  // between names and axes

  static bool hasShares(const FigurePanel& panel) {
    return !panel.bars.empty() ||
           std::ranges::any_of(panel.boxes,
                               [](const FigureBox& box) { return box.equal.whole > 0; });
  }

  /// The room of the longest name, but not more than a part of the figure.
  static double roomOfNames(const Figure& figure, double width) {
    constexpr double kMost = 0.28;
    std::size_t whole = 0, word = 0;
    for (const FigurePanel& panel : figure.panels) {
      whole = std::max(whole, longest(panel.y.names));
      for (const std::string& name : panel.y.names)
        word = std::max(word, longest(brokenText(name, 1)));
    }
    const auto inches = [](std::size_t letters) {
      return kTexScriptLetter * static_cast<double>(letters) / kPointsPerInch;
    };
    return std::max(inches(word), std::min(inches(whole), kMost * width));
  }

  /// Inches.
  double rowHeight(const FigurePanel& panel) const {
    std::size_t lines = 1;
    for (const std::string& name : panel.y.names)
      lines =
          std::max(lines, brokenText(name, nameLetters(names * kPointsPerInch)).size());
    return std::max(kRowHeight,
                    (kTexScriptLine * static_cast<double>(lines) + 4) / kPointsPerInch);
  }

  void chooseLegends(const Figure& figure) {
    std::vector<std::string> last;
    for (const FigurePanel& panel : figure.panels) {
      const std::vector<std::string> legend = legendOf(panel);
      const bool tells = legend.size() > 1 || panel.hasBands();
      legends.push_back(tells && legend != last ? legend : std::vector<std::string>());
      last = legend;
    }
  }

  /// Points above the axes of the first row.
  double aboveFirst(const Figure& figure) const {
    double above = 0.0;
    for (std::size_t i = 0;
         i < std::min(figure.panels.size(), std::size_t(figure.columns)); ++i)
      above = std::max(above, heightAbove(figure.panels[i], points(),
                                          legendHeight(legends[i], points())));
    return above;
  }

  /// Points below the axes of the last row.
  double belowLast(const Figure& figure) const {
    double under = 0.0;
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
      if (static_cast<int>(i) / figure.columns == rows - 1)
        under = std::max(under, heightBelow(figure.panels[i], points()));
    return under;
  }

  /// pgfplots has one distance for all rows.
  double roomBelow(const Figure& figure) const {
    double above = 0.0, under = 0.0;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const FigurePanel& panel = figure.panels[i];
      const double legend = legendHeight(legends[i], points());
      if (static_cast<int>(i) >= figure.columns)
        above = std::max(above, heightAbove(panel, points(), legend));
      if (static_cast<int>(i) / figure.columns < rows - 1)
        under = std::max(under, heightBelow(panel, points()));
    }
    return (above + under + 4) / kPointsPerInch;
  }
};

/// In one column where the axes of several would be narrow.
Figure fittingColumns(Figure figure, const TexSize& size) {
  const bool rows = std::ranges::all_of(figure.panels, &FigurePanel::hasRows);
  if (!rows && figure.columns > 1 && Page(figure, size).width < kLeastWidth)
    figure.columns = 1;
  return figure;
}

}  // namespace

std::string figureTex(const Figure& given, const TexSize& size) {
  const Figure figure = fittingColumns(given, size);
  const Page page(figure, size);
  if (page.isFixed && page.height < kLeastAxes)
    throw badInput("the panels do not fit into " + shortText(size.width, 4) + " × " +
                   shortText(size.height, 4) +
                   " in with the type of a document of 10 pt; choose a larger height, or "
                   "none");
  const std::string panelSize =
      "scale only axis, width=" + texNumber(page.width) +
      "in, height=" + texNumber(page.height) +
      "in, unbounded coords=jump, scaled ticks=false, /pgf/number format/1000 sep={}, "
      "title style={font=\\small}, label "
      "style={font=\\small}, "
      "tick label style={font=\\footnotesize}";
  std::string text =
      "% Made by Equipatch " EQUIPATCH_VERSION
      ". In the preamble: \\usepackage{pgfplots}\n"
      "% \\pgfplotsset{compat=1.16} \\usepgfplotslibrary{groupplots,statistics}\n" +
      comment(figure.provenance) + std::string(kTexCharacter) + std::string(kColours) +
      "\\begin{tikzpicture}\n\\begin{groupplot}[group style={group size=" +
      std::to_string(figure.columns) + " by " + std::to_string(page.rows) +
      ", horizontal sep=" + texNumber(page.between) +
      "in, vertical sep=" + texNumber(page.below) + "in}, " + panelSize +
      ", legend style={font=\\scriptsize, draw=none, cells={align=left}}, legend cell "
      "align=left]\n";
  const int count = static_cast<int>(figure.panels.size());
  for (int i = 0; i < count; ++i) {
    const FigurePanel& panel = figure.panels[static_cast<std::size_t>(i)];
    text += plotted(panel, page.legends[static_cast<std::size_t>(i)],
                    page.axesOf(figure, panel), page.namesOf(figure, i));
  }
  for (int empty = count; empty < figure.columns * page.rows; ++empty)
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
