// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_layout.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/figure/panel_range.h"
#include "ui/figure/layout_parts.h"
#include "ui/figure/picture_element.h"
#include "ui/figure/words_element.h"

namespace equipatch {
namespace {

// A panel's height over its width: up to kSingleColumn, and for the width beyond.
constexpr double kProportion = 0.62, kProportionBeyond = 0.15;
constexpr double kMapProportion = 0.45, kMapProportionBeyond = 0.1;
// Lengths beside and below a panel's axes, in multiples of the font size.
constexpr double kAxisRoom = 5.5;   // for the numbers along y
constexpr double kScaleRoom = 7.0;  // for a colour scale and its label
constexpr double kRightRoom = 4.0;  // for the numbers along a right axis
constexpr double kBelowAxes = 3.8;  // for the numbers and the label along x
// The least height of axes before rows share the figure's height, in multiples of the
// font size.
constexpr double kLeastAxes = 8.0, kLeastMap = 6.0;
constexpr double kMostLegendShare = 1.0 / 3.0;  // of the width, for a legend at the right
constexpr double kAxesProportion = 1.6;         // usual width of axes over their height
// leastSide() counts a map over a picture by the geometric mean of its sides, but at most
// by this multiple of the shorter side.
constexpr double kMostOfShorter = 1.5;

int partHeight(QCPLayoutGrid& cell, int part) {
  return part < cell.rowCount() && cell.hasElement(part, 0)
             ? cell.element(part, 0)->minimumOuterSizeHint().height()
             : 0;
}

double proportionalHeight(double width, bool map) {
  const double column = std::min(width, double(Paper::units(72 * kSingleColumn)));
  return map ? kMapProportion * column + kMapProportionBeyond * (width - column)
             : kProportion * column + kProportionBeyond * (width - column);
}

/// How many tick labels the axis shows; a single label shows no scale.
qsizetype labelsOf(const QCPAxis& axis) {
  qsizetype labels = 0;
  for (qsizetype i = 0; i < axis.tickVector().size(); ++i)
    if (axis.range().contains(axis.tickVector()[i]) &&
        !axis.tickVectorLabels().value(i).isEmpty())
      ++labels;
  return labels;
}

}  // namespace

FigureLayout::FigureLayout(const Figure& figure, const FigureStyle& style, int columns,
                           QCustomPlot& plot)
    : m_figure(figure),
      m_style(style),
      m_columns(columns),
      m_plot(plot),
      m_paper(style),
      m_cells(figure.panels.size()) {
  compose();
}

void FigureLayout::compose() {
  QCPLayoutGrid& page = *m_plot.plotLayout();
  page.clear();
  m_plot.setAutoAddPlottableToLegend(false);
  m_plot.setBackground(QBrush(Qt::NoBrush));
  page.setRowSpacing(Paper::units(kPanelGap / 2));
  addTitle();
  m_grid = new QCPLayoutGrid;
  m_grid->setRowSpacing(Paper::units(kPanelGap));
  page.addElement(page.rowCount(), 0, m_grid);
  const int margin = Paper::units(kPageMargin);
  page.setMargins({margin, margin, margin, margin});
  for (int row = 0; row < rows(); ++row) {
    auto* cells = new QCPLayoutGrid;
    cells->setColumnSpacing(Paper::units(kPanelGap));
    m_grid->addElement(row, 0, cells);
  }
  for (int index = 0; index < count(); ++index) addPanel(index);
  addLegends();
  m_headings = headings();
  for (int index = 0; index < count(); ++index)
    addHeading(index, m_cells[std::size_t(index)]);
  for (int row = 0; row < rows(); ++row) alignRow(row);
  shareHeight();
}

void FigureLayout::addPanel(int index) {
  Cell& cell = m_cells[std::size_t(index)];
  cell.panel = &m_figure.panels[std::size_t(index)];
  cell.grid = new PanelGrid;
  cell.grid->setColumnSpacing(Paper::units(4));
  cell.grid->setRowSpacing(Paper::units(2));
  auto* row = static_cast<QCPLayoutGrid*>(m_grid->element(index / m_columns, 0));
  row->addElement(0, index % m_columns, cell.grid);
  cell.upper = new QCPLayoutGrid;
  cell.upper->setRowSpacing(Paper::units(2));
  cell.grid->addElement(kUpper, 0, cell.upper);
  if (!cell.panel->pictures.empty()) return addPictures(index, cell);
  addAxes(index, cell);
}

/// Pictures without a caption are about as large as the maps that other panels draw over
/// them.
void FigureLayout::addPictures(int index, Cell& cell) {
  auto* element = new PictureElement(&m_plot, *cell.panel, m_paper);
  cell.grid->addElement(kAxes, 0, element);
  alignColumn(index, *element, QCP::msLeft, m_columnMargins);
  const double scale = cell.panel->caption.empty() ? kScaleRoom : 0.0;
  const int besides = Paper::units((kAxisRoom + scale) * m_style.fontSize);
  cell.pictures = element;
  const int width = panelWidth(index) - besides;
  cell.height.besides = element->captionBelow(width);
  cell.height.axes = element->heightFor(width) - cell.height.besides;
}

void FigureLayout::addAxes(int index, Cell& cell) {
  const FigurePanel& panel = *cell.panel;
  if (panel.under)
    cell.proportional = new ProportionalAxes(&m_plot, panel.under->heightOverWidth());
  cell.rect = panel.under ? cell.proportional : new QCPAxisRect(&m_plot);
  // The first and the last label of x may reach beyond the axes.
  const int half = Paper::units((panel.hasRows() ? 1.0 : 0.7) * m_style.fontSize);
  cell.rect->setMinimumMargins({panel.hasRows() ? half : 0, 0, half, 0});
  cell.grid->addElement(kAxes, kAxesColumn, cell.rect);
  cell.plot = std::make_unique<PanelPlot>(m_paper, *cell.rect);
  cell.plot->add(panel, hasNamesOfLeft(index) ? PanelRows::Names::Omitted
                                              : PanelRows::Names::Beside);
  if (panel.map) addScale(index, cell);
  const double besides = panel.hasRows() ? 0.0
                                         : kAxisRoom + (panel.right ? kRightRoom : 0.0) +
                                               (panel.map ? kScaleRoom : 0.0);
  const int inner = panelWidth(index) - Paper::units(besides * m_style.fontSize);
  cell.plot->fitTicks(panel, inner);
  cell.plot->fitNames(panelWidth(index));
  alignColumn(index, *cell.rect, QCP::msLeft, m_columnMargins);
  cell.height.besides = PanelPlot::nameHeight(panel, m_paper, inner);
  if (panel.hasRows()) {
    cell.height.axes = PanelPlot::rowHeight(panel, m_paper, panelWidth(index));
    return;
  }
  const int below = Paper::units(kBelowAxes * m_style.fontSize);
  cell.height.besides += below;
  // Square maps are equally large, whether or not they share their row.
  const bool square = isSquareMap(panel);
  const int width = square ? this->width() / m_columns : panelWidth(index);
  cell.height.axes =
      std::max(int(proportionalHeight(width, panel.map && !square)) - below,
               Paper::units((panel.map ? kLeastMap : kLeastAxes) * m_style.fontSize));
}

/// All colour scales in a column of panels get equal room for their numbers, so that the
/// maps' right edges are aligned.
void FigureLayout::addScale(int index, Cell& cell) {
  auto* scale = new ColourScale(&m_plot);
  scale->setType(QCPAxis::atRight);
  cell.grid->addElement(kAxes, kScaleColumn, scale);
  cell.plot->addScale(*cell.panel, *scale);
  alignColumn(index, *scale->axis()->axisRect(), QCP::msRight, m_scaleMargins);
  cell.scaleLabel = new WordsElement(
      &m_plot, {QString::fromStdString(cell.panel->map->label)}, m_paper.font(),
      m_paper.colours().text, WordsElement::Direction::Upwards);
  cell.grid->addElement(kAxes, kScaleLabelColumn, cell.scaleLabel);
  cell.grid->setColumnStretchFactor(kScaleLabelColumn, kNoStretch);
}

/// Whether the panel to the left has the same names of rows.
bool FigureLayout::hasNamesOfLeft(int index) const {
  if (index % m_columns == 0) return false;
  const FigurePanel &panel = m_figure.panels[std::size_t(index)],
                    &left = m_figure.panels[std::size_t(index) - 1];
  return panel.hasRows() && left.hasRows() && panel.y.names == left.y.names;
}

void FigureLayout::addLegends() {
  QList<LegendEntries> named;
  QList<bool> explained;
  for (const Cell& cell : m_cells) {
    named << (cell.plot ? cell.plot->named() : LegendEntries());
    explained << cell.panel->hasBands();
  }
  const FigureLegends legends = chosenLegends(named, explained, m_style, m_columns);
  placeLegends(legends);
  for (const PanelLegend& legend : legends.panels) addLegend(legend);
  if (!legends.shared.isEmpty()) addSharedLegend(legends.shared);
}

void FigureLayout::placeLegends(const FigureLegends& legends) {
  if (m_style.legendPlace != LegendPlace::Right) return;
  const int shared = legends.shared.isEmpty() ? 0 : entryWidth(legends.shared, m_paper);
  bool fits = shared <= kMostLegendShare * width();
  if (fits && shared > 0) m_sideWidth = shared + Paper::units(kPanelGap);
  if (!m_style.sharedLegend)
    for (const PanelLegend& legend : legends.panels) {
      m_legendWidth = std::max(m_legendWidth, entryWidth(legend.entries, m_paper));
      fits = fits && m_legendWidth <= kMostLegendShare * panelWidth(legend.panel);
    }
  if (fits) return;
  m_style.legendPlace = LegendPlace::Above;
  m_remark = QCoreApplication::translate(
      "equipatch::FigurePlot",
      "The legend is above the axes, because right of them it would take more than a "
      "third of the width.");
}

void FigureLayout::addLegend(const PanelLegend& legend) {
  Cell& cell = m_cells[std::size_t(legend.panel)];
  if (m_style.legendPlace == LegendPlace::Right && !m_style.sharedLegend)
    return addLegendRight(legend, cell);
  const bool isBelow = m_style.legendPlace == LegendPlace::Below;
  auto* element = new QCPLegend;
  if (isBelow)
    cell.grid->addElement(kLegendBelow, 0, element);
  else
    cell.upper->addElement(kLegend, 0, element);
  fillLegend(*element, legend.entries, m_paper,
             panelWidth(legend.panel) - Paper::units(kPanelGap), LegendColumns::AsFit);
}

/// All cells reserve the same width for legends, so that their axes are equally wide.
void FigureLayout::addLegendRight(const PanelLegend& legend, Cell& cell) {
  for (Cell& other : m_cells) {
    if (!other.rect || other.grid->hasElement(kAxes, kLegendColumn)) continue;
    auto* room = new SideRoom;
    room->setMinimumSize(m_legendWidth, 0);
    room->setMaximumSize(m_legendWidth, QWIDGETSIZE_MAX);
    other.grid->addElement(kAxes, kLegendColumn, room);
    for (int column = kScaleColumn; column <= kLegendColumn; ++column)
      other.grid->setColumnStretchFactor(column, kNoStretch);
  }
  auto& room = *static_cast<QCPLayoutGrid*>(cell.grid->element(kAxes, kLegendColumn));
  fillLegend(*addUpperLegend(room, 0, 0), legend.entries, m_paper, m_legendWidth,
             LegendColumns::One);
}

/// Adds a legend that is no higher than its entries need.
QCPLegend* FigureLayout::addUpperLegend(QCPLayoutGrid& grid, int row, int column) {
  auto* room = new QCPLayoutGrid;
  grid.addElement(row, column, room);
  grid.setColumnStretchFactor(column, kNoStretch);
  auto* legend = new QCPLegend;
  room->addElement(0, 0, legend);
  room->addElement(1, 0, new QCPLayoutElement(&m_plot));
  room->setRowStretchFactor(0, kNoStretch);
  return legend;
}

void FigureLayout::addSharedLegend(const LegendEntries& entries) {
  QCPLayoutGrid& page = *m_plot.plotLayout();
  const int grid = page.rowCount() - 1;
  if (m_style.legendPlace == LegendPlace::Right)
    return fillLegend(*addUpperLegend(page, grid, 1), entries, m_paper, m_sideWidth,
                      LegendColumns::One);
  const bool isBelow = m_style.legendPlace == LegendPlace::Below;
  if (!isBelow) page.insertRow(grid);
  const int row = isBelow ? grid + 1 : grid;
  auto* legend = new QCPLegend;
  page.addElement(row, 0, legend);
  page.setRowStretchFactor(row, kNoStretch);
  fillLegend(*legend, entries, m_paper, width() - Paper::units(2 * kPageMargin),
             LegendColumns::AsFit);
  m_height += legendHeight(*legend, m_paper) + Paper::units(kPanelGap / 2);
}

/// Gives the element the same margin as the others in its column. @param groups by column
void FigureLayout::alignColumn(int index, QCPLayoutElement& element, QCP::MarginSide side,
                               QList<QCPMarginGroup*>& groups) {
  const qsizetype column = index % m_columns;
  while (groups.size() <= column) groups << new QCPMarginGroup(&m_plot);
  element.setMarginGroup(side, groups[column]);
}

void FigureLayout::alignRow(int row) {
  auto* margins = new QCPMarginGroup(&m_plot);
  int above = 0, below = 0;
  for (const Cell& cell : cellsIn(row)) {
    // Takes the height that heading and legend leave, so that these stay on top.
    cell.upper->addElement(kRest, 0, new QCPLayoutElement(&m_plot));
    above = std::max(above, cell.upper->minimumOuterSizeHint().height());
    below = std::max(below, partHeight(*cell.grid, kLegendBelow));
  }
  for (const Cell& cell : cellsIn(row)) {
    reserve(*cell.grid, kUpper, above);
    if (below > 0) reserve(*cell.grid, kLegendBelow, below);
    for (int part = kHeading; part < kRest; ++part)
      cell.upper->setRowStretchFactor(part, kNoStretch);
  }
  for (const Cell& cell : cellsIn(row))
    for (int column = 0; column < cell.grid->columnCount(); ++column)
      if (cell.grid->hasElement(kAxes, column))
        cell.grid->element(kAxes, column)
            ->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
}

void FigureLayout::reserve(QCPLayoutGrid& cell, int part, int height) {
  if (!cell.hasElement(part, 0)) cell.addElement(part, 0, new QCPLayoutElement(&m_plot));
  cell.setRowStretchFactor(part, kNoStretch);
  QCPLayoutElement* element = cell.element(part, 0);
  element->setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
  element->setMinimumSize(0, height);
  element->setMaximumSize(QWIDGETSIZE_MAX, height);
}

void FigureLayout::fit() {
  for (Cell& cell : m_cells) {
    if (cell.plot && isSquareMap(*cell.panel)) {
      const int side = std::min(cell.rect->width(), cell.rect->height());
      cell.rect->setMaximumSize(side, side);
    }
    if (cell.plot) cell.plot->fit(*cell.panel);
    if (cell.scaleLabel) cell.scaleLabel->fit(cell.rect->height());
  }
  fitMaps();
}

QList<QSize> FigureLayout::axesSizes() const {
  QList<QSize> sizes;
  for (const Cell& cell : m_cells)
    if (cell.rect) sizes << cell.rect->size();
  return sizes;
}

double FigureLayout::leastSide() const {
  constexpr double kWholePictures = 9.0;  // font sizes that a full-size picture counts
  const double font = Paper::units(m_style.fontSize);
  double least = 1e9;
  for (int index = 0; index < count(); ++index) {
    const Cell& cell = m_cells[std::size_t(index)];
    if (cell.pictures && !cell.pictures->fitsCaption()) return 0.0;
    if (cell.pictures && !cell.isMapOrPicture())
      least = std::min(least, kWholePictures * cell.pictures->scale());
    if (!cell.rect) continue;
    if (cell.proportional && m_mapHeight == 0) return 0.0;
    if (cell.panel->hasRows()) {
      if (!cell.plot->fitsNames(*cell.panel, panelWidth(index))) return 0.0;
      continue;
    }
    const double proportion = isSquareMap(*cell.panel) ? 1.0 : kAxesProportion;
    const double wide = cell.rect->width() / proportion / font;
    const double high = cell.rect->height() / font;
    if (!cell.panel->map && labelsOf(*cell.rect->axis(QCPAxis::atLeft)) < 2) return 0.0;
    if (cell.proportional)
      least = std::min(
          {least, std::sqrt(wide * high), kMostOfShorter * std::min(wide, high)});
    else
      least = std::min(
          {least, wide, (cell.panel->map ? kLeastAxes / kLeastMap : 1.0) * high});
  }
  return least;
}

}  // namespace equipatch
