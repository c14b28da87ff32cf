// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/tex_page.h"

#include <algorithm>
#include <cmath>

#include "core/figure/panel_range.h"
#include "core/figure/tex/tex_picture.h"
#include "core/figure/tex/tex_plots.h"
#include "core/text/tex_text.h"

namespace equipatch {
namespace {

constexpr double kGap = 0.75;   // inches left of a panel, for its labels
constexpr double kSide = 0.65;  // inches right of a panel, for a colour scale or an axis
// The default height of a panel of curves, labels included, is kProportion times the
// first kColumn of its width plus kProportionBeyond times the remaining width, as in PDF,
// SVG and PNG.
constexpr double kColumn = 3.25;  // inches; a column of a page
constexpr double kProportion = 0.62, kProportionBeyond = 0.15;
constexpr double kMinAxes = 0.35;    // inches; shorter axes have room for one label only
constexpr double kRowHeight = 0.22;  // inches; minimum for a box or bar with its name
constexpr double kRowGap = 0.2;      // inches between columns of boxes or bars

constexpr double kPointsPerInch = 72.27;  // TeX's points
constexpr double kLabels = 30.0;          // points; height of an axis's numbers and label

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, lettersOf(text));
  return most;
}

/// In the order of texPlots.
std::vector<std::string> namesInLegend(const FigurePanel& panel) {
  std::vector<std::string> names;
  for (const FigureCurve& curve : panel.curves) names.push_back(curve.name);
  for (const FigureMarks& marks : panel.marks) names.push_back(marks.name);
  if (explainsZeros(panel)) names.push_back(kZeroName);
  return names;
}

constexpr double kSwatch = 28.0;  // points before the text of a legend's entry

/// @param legend height of the legend, points
/// @returns height of title and legend, points
double heightAbove(const FigurePanel& panel, double width, double legend) {
  if (panel.title.empty()) return legend;
  const double letters = kTexSmallLetter * static_cast<double>(lettersOf(panel.title));
  return legend + kTexSmallLine * std::ceil(letters / width) + 4;
}

/// The height in points of the numbers, names and label of x, or of the pictures'
/// caption.
double heightBelow(const FigurePanel& panel, double width) {
  if (!panel.pictures.empty()) return texCaptionHeight(panel, width);
  return kLabels + kTexScriptLetter * static_cast<double>(longest(panel.x.names));
}

bool hasShares(const FigurePanel& panel) {
  return !panel.bars.empty() ||
         std::ranges::any_of(panel.boxes,
                             [](const FigureBox& box) { return box.equal.whole > 0; });
}

}  // namespace

std::size_t texLegendColumns(const std::vector<std::string>& names, double width) {
  const double entry = kSwatch + kTexScriptLetter * static_cast<double>(longest(names));
  const double most = static_cast<double>(std::max<std::size_t>(names.size(), 1));
  return static_cast<std::size_t>(std::clamp(width / entry, 1.0, most));
}

std::size_t texLegendLetters(double width) {
  return static_cast<std::size_t>(std::max(1.0, (width - kSwatch) / kTexScriptLetter));
}

double texLegendHeight(const std::vector<std::string>& names, double width) {
  if (names.empty()) return 0.0;
  const std::size_t columns = texLegendColumns(names, width);
  double lines = 0.0;
  for (std::size_t first = 0; first < names.size(); first += columns) {
    std::size_t most = 1;
    for (std::size_t i = first; i < std::min(first + columns, names.size()); ++i)
      most = std::max(most, brokenText(names[i], texLegendLetters(width)).size());
    lines += 0.3 + static_cast<double>(most);
  }
  return kTexScriptLine * lines + 4;
}

std::size_t texNameLetters(double room) {
  return static_cast<std::size_t>(std::max(1.0, room / kTexScriptLetter));
}

TexPage::TexPage(const Figure& figure, const TexSize& size)
    : m_figure(figure),
      m_rows((static_cast<int>(figure.panels.size()) + figure.columns - 1) /
             figure.columns),
      m_isFixed(size.height > 0),
      m_hasRows(std::ranges::all_of(figure.panels, &FigurePanel::hasRows)) {
  setWidth(size.width);
  chooseLegends();
  setHeight(size);
}

double TexPage::widthInPoints() const {
  return m_width * kPointsPerInch;
}

double TexPage::largestRowGap() const {
  return m_rowGaps.empty() ? 0.0 : *std::ranges::max_element(m_rowGaps) / kPointsPerInch;
}

double TexPage::totalHeight() const {
  return m_others + m_height * m_axesRows;
}

bool TexPage::fitsWidth() const {
  return m_width >= kMinAxes;
}

bool TexPage::fitsHeight() const {
  return !m_isFixed || m_height >= kMinAxes;
}

void TexPage::setWidth(double width) {
  constexpr double kShares = 0.5;        // inches right of boxes or bars, for shares
  constexpr double kBesideNames = 0.08;  // inches between names and axes
  const int columns = m_figure.columns;
  double inner = 0.0, outer = 0.0;  // room right of panels: between columns, at the edge
  for (std::size_t i = 0; i < m_figure.panels.size(); ++i) {
    const FigurePanel& panel = m_figure.panels[i];
    const bool last = static_cast<int>(i) % columns == columns - 1;
    double& side = last || columns == 1 ? outer : inner;
    if (panel.map || panel.right) side = kSide;
    if (hasShares(panel)) side = std::max(side, kShares);
  }
  m_namesWidth = m_hasRows ? roomOfNames(width) : 0.0;
  const double left = m_hasRows ? m_namesWidth + kBesideNames : kGap;
  m_columnGap = (m_hasRows ? kRowGap : kGap) + inner;
  m_width = (width - left - outer - m_columnGap * (columns - 1)) / columns;
}

void TexPage::setHeight(const TexSize& size) {
  constexpr double kMaxPictures = 0.3;  // share of a given height
  m_maxPicturesHeight = m_isFixed ? kMaxPictures * size.height * kPointsPerInch : 1e9;
  double rowsOfBoxes = 0.0;
  for (const FigurePanel& panel : m_figure.panels)
    rowsOfBoxes =
        std::max(rowsOfBoxes, static_cast<double>(panel.rows()) * rowHeight(panel));
  double others = heightAboveAxes(0) + heightBelowAxes(m_rows - 1);  // all but the axes
  int axes = 0;
  for (int row = 0; row < m_rows; ++row) {
    if (row > 0) m_rowGaps.push_back(heightAboveAxes(row) + heightBelowAxes(row - 1) + 4);
    if (row > 0) others += m_rowGaps.back();
    others += picturesHeight(row);
    if (picturesHeight(row) == 0.0) ++axes;
  }
  const double panel = size.width / m_figure.columns, column = std::min(panel, kColumn);
  const double usual = kProportion * column + kProportionBeyond * (panel - column) -
                       kLabels / kPointsPerInch;
  m_others = others / kPointsPerInch;
  m_axesRows = axes;
  m_height = m_isFixed   ? (size.height - others / kPointsPerInch) / std::max(1, axes)
             : m_hasRows ? rowsOfBoxes
                         : std::max({usual, rowsOfBoxes, 2 * kMinAxes});
}

double TexPage::namesOf(std::size_t panel) const {
  const bool hasLeft =
      panel % static_cast<std::size_t>(m_figure.columns) > 0 &&
      m_figure.panels[panel - 1].y.names == m_figure.panels[panel].y.names;
  return hasLeft ? 0.0 : std::max(m_namesWidth, kGap) * kPointsPerInch;
}

TexAxes TexPage::axesOf(std::size_t index) const {
  const FigurePanel& panel = m_figure.panels[index];
  if (!panel.caption.empty()) return {widthInPoints(), m_maxPicturesHeight};
  const TexAxes room{widthInPoints(), m_height * kPointsPerInch};
  const auto map = std::ranges::find_if(
      m_figure.panels, [](const FigurePanel& each) { return each.under != nullptr; });
  const bool alike = !panel.pictures.empty() && map != m_figure.panels.end();
  return texAxes(alike ? *map : panel, room, m_isFixed);
}

std::string TexPage::shiftOf(std::size_t panel) const {
  const auto columns = static_cast<std::size_t>(m_figure.columns);
  if (panel < columns) return "";
  const double up = largestRowGap() * kPointsPerInch - m_rowGaps[panel / columns - 1];
  const double right = (axesOf(panel).width - axesOf(panel - columns).width) / 2;
  constexpr double kVisible = 0.01;  // points
  return (std::abs(right) > kVisible ? "xshift=" + texNumber(right) + "pt, " : "") +
         (std::abs(up) > kVisible ? "yshift=" + texNumber(up) + "pt, " : "");
}

/// The width of the longest name, at most kMost of the figure's width, but at least the
/// width of the longest word.
double TexPage::roomOfNames(double width) const {
  constexpr double kMost = 0.28;
  std::size_t whole = 0, word = 0;
  for (const FigurePanel& panel : m_figure.panels) {
    whole = std::max(whole, longest(panel.y.names));
    for (const std::string& name : panel.y.names)
      word = std::max(word, longest(brokenText(name, 1)));
  }
  const auto inches = [](std::size_t letters) {
    return kTexScriptLetter * static_cast<double>(letters) / kPointsPerInch;
  };
  return std::max(inches(word), std::min(inches(whole), kMost * width));
}

double TexPage::rowHeight(const FigurePanel& panel) const {
  std::size_t lines = 1;
  for (const std::string& name : panel.y.names)
    lines = std::max(
        lines, brokenText(name, texNameLetters(m_namesWidth * kPointsPerInch)).size());
  return std::max(kRowHeight,
                  (kTexScriptLine * static_cast<double>(lines) + 4) / kPointsPerInch);
}

void TexPage::chooseLegends() {
  std::vector<std::string> last;
  for (const FigurePanel& panel : m_figure.panels) {
    const std::vector<std::string> legend = namesInLegend(panel);
    const bool tells = legend.size() > 1 || panel.hasBands();
    m_legends.push_back(tells && legend != last ? legend : std::vector<std::string>());
    last = legend;
  }
}

double TexPage::heightAboveAxes(int row) const {
  double most = 0.0;
  for (std::size_t i = 0; i < m_figure.panels.size(); ++i)
    if (isIn(i, row))
      most = std::max(most, heightAbove(m_figure.panels[i], widthInPoints(),
                                        texLegendHeight(m_legends[i], widthInPoints())));
  return most;
}

double TexPage::heightBelowAxes(int row) const {
  double most = 0.0;
  for (std::size_t i = 0; i < m_figure.panels.size(); ++i)
    if (isIn(i, row))
      most = std::max(most, heightBelow(m_figure.panels[i], widthInPoints()));
  return most;
}

/// 0: the row has no pictures with a caption.
double TexPage::picturesHeight(int row) const {
  double most = 0.0;
  for (std::size_t i = 0; i < m_figure.panels.size(); ++i)
    if (isIn(i, row) && !m_figure.panels[i].caption.empty())
      most = std::max(most, texPicturesHeight(m_figure.panels[i], axesOf(i)));
  return most;
}

}  // namespace equipatch
