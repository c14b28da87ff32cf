// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_tex.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/number_format.h"
#include "core/figure/figure_map.h"

namespace equipatch {
namespace {

constexpr int kMostColumns = 200;    // of a map; TeX's memory is small
constexpr double kGap = 0.55;        // inches between panels, for labels
constexpr double kProportion = 0.7;  // a panel's height over its width
constexpr int kStyles = 6;

/// TeX for a character or a group of them; the longest match counts.
constexpr std::pair<std::string_view, std::string_view> kReplacements[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"∞", "$_\\infty$"},
    {"‖", "$\\|$"},
    {"Δ", "$\\Delta$"},
    {"α", "$\\alpha$"},
    {"ε", "$\\varepsilon$"},
    {"′", "$'$"},
    {"−", "$-$"},
    {"≠", "$\\neq$"},
    {"…", "\\dots{}"},
    {"“", "``"},
    {"”", "''"},
    {"↵", "$\\hookleftarrow$"},
    {"→", "$\\to$"},
    {"␣", "\\textvisiblespace{}"},
    {"·", "$\\cdot$"},
    {"L∞", "$L_\\infty$"},
    {"⟨", "$\\langle$"},
    {"⟩", "$\\rangle$"},
    {"√", "$\\surd$"},
    {"Σ", "$\\Sigma$"},
    {"²", "$^2$"},
    {"ψ", "$\\psi$"},
    {"₀", "$_0$"},
    {"₁", "$_1$"},
    {"₂", "$_2$"},
    {"ᵢ", "$_i$"},
    {"ᵢ₊₁", "$_{i+1}$"}};

std::string tex(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::pair<std::string_view, std::string_view>* found = nullptr;
    for (const auto& replacement : kReplacements)
      if (text.starts_with(replacement.first) &&
          (!found || found->first.size() < replacement.first.size()))
        found = &replacement;
    result += found ? found->second : text.substr(0, 1);
    text.remove_prefix(found ? found->first.size() : 1);
  }
  return result;
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return shortText(value, 6);
}

std::string coordinates(const std::vector<double>& x, const std::vector<double>& y) {
  std::string text = " coordinates {";
  for (std::size_t i = 0; i < x.size(); ++i)
    text += (i % 6 == 0 ? "\n  " : " ") + ("(" + number(x[i]) + "," + number(y[i]) + ")");
  return text + "\n}";
}

std::string colour(int style) {
  return "equipatch" + std::to_string(style % kStyles);
}

/// The window's colour of a reference, which is a numbered one where it has its own.
std::string referenceColour(FigureCurve::Look look) {
  if (look == FigureCurve::Look::Bare) return colour(1);
  if (look == FigureCurve::Look::Noise) return colour(3);
  return "gray";
}

std::string band(const FigureCurve& curve) {
  std::vector<double> x = curve.x;
  std::vector<double> y = curve.lower;
  x.insert(x.end(), curve.x.rbegin(), curve.x.rend());
  y.insert(y.end(), curve.upper.rbegin(), curve.upper.rend());
  return "\\addplot[draw=none, fill=" + colour(curve.style) +
         ", fill opacity=0.2, forget plot]" + coordinates(x, y) + " -- cycle;\n";
}

std::string plot(const FigureCurve& curve) {
  constexpr std::array kMarks = {"*", "square*", "triangle*", "diamond*", "+", "star"};
  const auto style = static_cast<std::size_t>(curve.style);
  const std::string look =
      curve.isReference()
          ? referenceColour(curve.look) + ", densely dashed, mark=none"
          : colour(curve.style) + ", mark=" + kMarks[style % kMarks.size()] +
                ", mark size=1pt" + (curve.style < kStyles ? "" : ", densely dashed");
  return (curve.lower.empty() ? "" : band(curve)) + "\\addplot[" + look + "]" +
         coordinates(curve.x, curve.y) + ";\n";
}

std::string plot(const FigureMarks& marks) {
  return "\\addplot[only marks, mark=x, mark size=2.5pt, thick, equipatchred]" +
         coordinates(marks.x, marks.y) + ";\n";
}

std::string plot(const FigureBox& box) {
  std::string text =
      "\\addplot[" + colour(box.style) + ", mark=*, mark size=0.5pt, " +
      "boxplot prepared={draw position=" + number(box.x) +
      ", lower whisker=" + number(box.low) +
      ", lower quartile=" + number(box.lowerQuartile) + ", median=" + number(box.median) +
      ", upper quartile=" + number(box.upperQuartile) +
      ", upper whisker=" + number(box.high) + "}] table[row sep=\\\\, y index=0] {";
  for (const double outlier : box.outliers) text += number(outlier) + "\\\\";
  return text + "};\n";
}

std::string plot(const FigureBar& bar) {
  return "\\addplot[ybar, bar width=0.6, draw=none, fill=" + colour(bar.style) +
         ", nodes near coords={" + tex(bar.text) + "}] coordinates {(" + number(bar.x) +
         "," + number(bar.value) + ")};\n";
}

bool isLogarithmic(const FigureMap& map) {
  return map.colours == FigureMap::Colours::RisingLogarithmic;
}

/// The ends of the colour scale; exponents of ten where it is logarithmic.
ColourRange metaRange(const FigureMap& map) {
  const ColourRange range = colourRange(map);
  return isLogarithmic(map) ? ColourRange{std::log10(range.low), std::log10(range.high)}
                            : range;
}

double meta(const FigureMap& map, double value, double low) {
  if (!isLogarithmic(map)) return value;
  return value > 0.0 ? std::log10(value) : low;
}

std::string plot(const FigureMap& map) {
  const double low = metaRange(map).low;
  const PooledGrid pooled = pool(map.grid, 0, map.grid.columns(), kMostColumns);
  const int columns = pooled.grid.columns();
  const double width = (pooled.last - pooled.first) / columns;
  std::string text =
      "\\addplot[matrix plot*, forget plot, point meta=explicit, mesh/cols=" +
      std::to_string(columns) + "] table[meta=v] {\nx y v\n";
  for (int row = 0; row < pooled.grid.layers(); ++row)
    for (int column = 0; column < columns; ++column)
      text += number(map.x.at(pooled.first + (column + 0.5) * width - 0.5)) + " " +
              number(map.y.at(row)) + " " +
              number(meta(map, double(pooled.grid.at(row, column)), low)) + "\n";
  return text + "};\n";
}

std::string ticks(const FigureAxis& axis) {
  if (axis.names.empty()) return "";
  std::string places;
  std::string labels;
  for (std::size_t i = 0; i < axis.names.size(); ++i) {
    places += (i ? "," : "") + std::to_string(i);
    labels += (i ? "," : "") + ("{" + tex(axis.names[i]) + "}");
  }
  return ", xtick={" + places + "}, xticklabels={" + labels +
         "}, x tick label style={rotate=90, anchor=east, font=\\tiny}";
}

/// The legend's entries, in drawing order.
std::vector<std::string> legendOf(const FigurePanel& panel) {
  std::vector<std::string> names;
  for (const FigureCurve& curve : panel.curves) names.push_back(tex(curve.name));
  for (const FigureMarks& marks : panel.marks) names.push_back(tex(marks.name));
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

std::string options(const FigurePanel& panel) {
  std::string text = "title={" + tex(panel.title) + "}, xlabel={" + tex(panel.x.label) +
                     "}, ylabel={" + tex(panel.y.label) + "}" + ticks(panel.x);
  if (panel.x.scale == FigureScale::Logarithmic) text += ", xmode=log";
  if (panel.y.scale == FigureScale::Logarithmic) text += ", ymode=log";
  if (!panel.boxes.empty()) text += ", boxplot/draw direction=y";
  if (!panel.bars.empty()) text += ", ymin=0, ymax=115";
  if (!panel.map) return text;
  const FigureMap& map = *panel.map;
  const auto [low, high] = metaRange(map);
  const bool rising = !map.isAroundZero();
  return text + ", enlargelimits=false, colorbar, colormap name=equipatch" +
         (rising ? "rising" : "") + ", point meta min=" + number(low) +
         ", point meta max=" + number(high) + ", colorbar style={title={" +
         (isLogarithmic(map) ? "$\\log_{10}$ " : "") + tex(map.label) + "}}";
}

/// @param legend empty: none, or the same as in the panel before
std::string plotted(const FigurePanel& panel, const std::vector<std::string>& legend) {
  std::string text = "\\nextgroupplot[" + options(panel);
  if (!legend.empty()) text += legendOptions(legend, !panel.title.empty());
  text += "]\n";
  if (panel.map) text += plot(*panel.map);
  for (const FigureBox& box : panel.boxes) text += plot(box);
  for (const FigureBar& bar : panel.bars) text += plot(bar);
  for (const FigureCurve& curve : panel.curves) text += plot(curve);
  for (const FigureMarks& marks : panel.marks) text += plot(marks);
  return text;
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
  const double height =
      size.height > 0 ? (size.height - kGap * rows) / rows : kProportion * width;
  std::string text =
      "% Made by Equipatch " EQUIPATCH_VERSION
      ". In the preamble: \\usepackage{pgfplots}\n"
      "% \\pgfplotsset{compat=1.16} \\usepgfplotslibrary{groupplots,statistics}\n" +
      comment(figure.provenance) + std::string(kColours) +
      "\\begin{tikzpicture}\n\\begin{groupplot}[group style={group size=" +
      std::to_string(columns) + " by " + std::to_string(rows) +
      ", horizontal sep=" + number(kGap) + "in, vertical sep=" + number(1.2 * kGap) +
      "in}, scale only axis, width=" + number(width) + "in, height=" + number(height) +
      "in, unbounded coords=jump, title style={font=\\small}, label "
      "style={font=\\small}, "
      "tick label style={font=\\footnotesize}, legend style={font=\\tiny, draw=none}, "
      "legend cell align=left]\n";
  std::vector<std::string> last;
  for (const FigurePanel& panel : figure.panels) {
    const std::vector<std::string> legend = legendOf(panel);
    const bool repeats = legend.size() < 2 || legend == last;
    text += plotted(panel, repeats ? std::vector<std::string>() : legend);
    last = legend;
  }
  for (int empty = count; empty < columns * rows; ++empty)
    text += "\\nextgroupplot[group/empty plot]\n";
  return text + "\\end{groupplot}\n\\end{tikzpicture}\n";
}

}  // namespace equipatch
