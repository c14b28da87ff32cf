// SPDX-License-Identifier: GPL-3.0-or-later
// How rows of panels share a figure's height.
#include <algorithm>

#include "ui/figure/figure_layout.h"
#include "ui/figure/layout_parts.h"

namespace equipatch {

FigureLayout::RowHeight FigureLayout::heightOf(int row) {
  RowHeight height;
  for (const Cell& cell : cellsIn(row)) {
    height.axes = std::max(height.axes, cell.height.axes);
    height.besides = std::max(height.besides, cell.height.besides);
    height.isOfMaps = height.isOfMaps || cell.isMapOrPicture();
  }
  QCPLayoutGrid& first = *cellsIn(row).front().grid;
  for (const int part : {kUpper, kLegendBelow})
    if (part < first.rowCount() && first.hasElement(part, 0))
      height.besides +=
          first.element(part, 0)->minimumSize().height() + first.rowSpacing();
  return height;
}

/// All axes shrink or grow by the same factor, except that maps over a picture do not
/// grow, because the width limits them.
void FigureLayout::shareHeight() {
  std::vector<RowHeight> heights;
  RowHeight all, maps;
  for (int row = 0; row < rows(); ++row) {
    heights.push_back(heightOf(row));
    all.axes += heights.back().axes;
    all.besides += heights.back().besides;
    if (heights.back().isOfMaps) maps.axes += heights.back().axes;
  }
  const bool hasMaps = m_mostMapHeight < QWIDGETSIZE_MAX;  // then leaveBelow adds a row
  const int others = m_height + Paper::units(kPanelGap) * rows() +
                     (hasMaps ? Paper::units(2 * kPageMargin + 1) : 0);
  const int natural = others + all.axes + all.besides;
  m_size = {width(), m_style.height > 0 ? Paper::units(72 * m_style.height) : natural};
  const double room = m_size.height() - others - all.besides;
  double stretch = room / std::max(1, all.axes);
  m_mapScale = std::clamp(stretch, 0.0, 1.0);
  if (stretch > 1.0) stretch = (room - maps.axes) / std::max(1, all.axes - maps.axes);
  const double left = maps.axes == all.axes ? room - m_mapScale * all.axes : 0.0;
  const double loose = std::min(left / rows(), double(Paper::units(kPanelGap)));
  for (int row = 0; row < rows(); ++row) {
    const RowHeight& height = heights[std::size_t(row)];
    const double scale = height.isOfMaps ? m_mapScale : stretch;
    m_grid->setRowStretchFactor(
        row, std::max(1.0, height.besides + scale * height.axes + loose));
  }
  if (hasMaps) leaveBelow(left - rows() * loose);
}

void FigureLayout::leaveBelow(double height) {
  if (!m_grid->hasElement(rows(), 0))
    m_grid->addElement(rows(), 0, new QCPLayoutElement(&m_plot));
  m_grid->setRowStretchFactor(rows(), std::max(kNoStretch, height));
}

/// The height of a map over a picture that is as wide as its panel allows. If the style
/// gives no height, kMostMapShare of this width limits it, for tall pictures.
int FigureLayout::mapHeight(const Cell& cell) const {
  const QMargins margins = cell.rect->margins();
  int width = cell.grid->rect().width() - margins.left() - margins.right();
  for (int column = kAxesColumn + 1; column < cell.grid->columnCount(); ++column)
    if (cell.grid->hasElement(kAxes, column))
      width -= cell.grid->element(kAxes, column)->outerRect().width() +
               cell.grid->columnSpacing();
  const int height = cell.proportional->heightFor(std::max(1, width));
  return m_style.height > 0 ? height : std::min(height, int(kMostMapShare * width));
}

/// Gives all maps over a picture, and the picture beside them, the same height. Only
/// reduces m_mostMapHeight: if this could grow again, the layout might never settle,
/// because smaller axes need more room for the labels beside them.
void FigureLayout::fitMaps() {
  for (const Cell& cell : m_cells)
    if (cell.proportional) m_mostMapHeight = std::min(m_mostMapHeight, mapHeight(cell));
  if (m_mostMapHeight == QWIDGETSIZE_MAX) return;
  for (Cell& cell : m_cells) {
    if (cell.isMapOrPicture()) cell.height.axes = m_mostMapHeight;
    if (cell.rect)
      cell.height.besides = cell.rect->margins().top() + cell.rect->margins().bottom();
  }
  shareHeight();
  m_mapHeight = int(m_mapScale * m_mostMapHeight);
  for (Cell& cell : m_cells) {
    if (cell.proportional) cell.proportional->take(m_mapHeight);
    if (cell.isMapOrPicture() && !cell.rect)
      cell.grid->element(kAxes, kAxesColumn)
          ->setMaximumSize(QWIDGETSIZE_MAX, std::max(1, m_mapHeight));
  }
}

}  // namespace equipatch
