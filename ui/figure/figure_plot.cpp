// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_plot.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/figure/panel_plot.h"
#include "ui/figure/picture_element.h"

namespace equipatch {
namespace {

constexpr double kProportion = 0.62;  // a panel's height over its width
constexpr double kMapProportion = 0.45;
constexpr double kPageMargin = 2.0;  // points around everything
constexpr double kBetween = 8.0;     // points between panels
// Widths beside a panel, in multiples of the font size.
constexpr double kAxisRoom = 5.5;   // for the numbers along y
constexpr double kScaleRoom = 6.0;  // for a colour scale
constexpr double kRightRoom = 4.0;  // for the numbers along a right axis

constexpr double kLegendType = 0.88;        // of the figure's size
constexpr double kBesideName = 14 + 3 + 8;  // points: swatch and gaps of a legend's entry

// Rows of a panel's cell.
enum CellRow { kHeading, kLegend, kAxes, kLegendBelow };
// Columns of a panel's cell, at kAxes.
enum CellColumn { kAxesColumn, kScaleColumn, kLegendColumn };

/// The stretch factor of a row that takes no more height than its content needs.
constexpr double kNoStretch = 1e-3;

QStringList namesOf(const PanelPlot& panel) {
  QStringList names;
  for (const QCPAbstractPlottable* plottable : panel.named()) names << plottable->name();
  return names;
}

}  // namespace

/// Arranges heading, legend, axes and colour scale of each panel in the plot's grid.
class FigurePlot::Layout {
 public:
  Layout(const Figure& figure, const FigureStyle& style, QCustomPlot& plot)
      : m_figure(figure), m_style(style), m_plot(plot), m_paper(style) {}

  QSize compose() {
    m_plot.plotLayout()->clear();
    m_plot.setAutoAddPlottableToLegend(false);
    m_plot.setBackground(QBrush(Qt::NoBrush));
    m_plot.plotLayout()->setRowSpacing(Paper::units(kBetween / 2));
    addTitle();
    m_grid = new QCPLayoutGrid;
    m_grid->setRowSpacing(Paper::units(kBetween));
    m_grid->setColumnSpacing(Paper::units(kBetween));
    m_plot.plotLayout()->addElement(m_plot.plotLayout()->rowCount(), 0, m_grid);
    const int margin = Paper::units(kPageMargin);
    m_plot.plotLayout()->setMargins({margin, margin, margin, margin});
    for (std::size_t i = 0; i < m_figure.panels.size(); ++i) addPanel(int(i));
    addSharedLegend();
    shareRows();
    return {width(), m_style.height > 0 ? Paper::units(72 * m_style.height) : m_height};
  }

 private:
  int width() const { return Paper::units(72 * m_style.width); }
  int panelWidth() const { return width() / m_figure.columns; }

  QCPTextElement* text(const QString& words, double size, QFont::Weight weight) {
    auto* element = new QCPTextElement(&m_plot, words, m_paper.font(size, weight));
    element->setTextColor(m_paper.colours().text);
    element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    element->setMargins({});
    return element;
  }

  void addTitle() {
    if (!m_style.title || m_figure.title.empty()) return;
    m_plot.plotLayout()->addElement(
        0, 0, text(QString::fromStdString(m_figure.title), 1.15, QFont::DemiBold));
    m_plot.plotLayout()->setRowStretchFactor(0, kNoStretch);
    m_height += Paper::units(2 * m_style.fontSize);
  }

  QFont::Weight headingWeight() const {
    return m_style.letters ? QFont::DemiBold : QFont::Normal;
  }

  /// Elided in the middle, because the ends distinguish panels.
  QString heading(int index) const {
    const FigurePanel& panel = m_figure.panels[std::size_t(index)];
    const QString title = QString::fromStdString(panel.title);
    const QString letter = m_style.letters
                               ? QStringLiteral("(%1) ").arg(QChar(u'a' + index % 26))
                               : QString();
    const QFontMetricsF metrics(m_paper.font(1.0, headingWeight()));
    const double beside = panel.map ? 8.0 * m_style.fontSize : 0.0;  // the colour scale
    return metrics.elidedText((letter + title).trimmed(), Qt::ElideMiddle,
                              panelWidth() - Paper::units(kBetween + beside));
  }

  void addPanel(int index) {
    const FigurePanel& panel = m_figure.panels[std::size_t(index)];
    auto* cell = new QCPLayoutGrid;
    cell->setColumnSpacing(Paper::units(4));
    m_grid->addElement(index / m_figure.columns, index % m_figure.columns, cell);
    m_cells << cell;
    if (const QString words = heading(index); !words.isEmpty())
      cell->addElement(kHeading, 0, text(words, 1.0, headingWeight()));
    if (panel.picture) return addPicture(index, *cell);
    auto* rect = new QCPAxisRect(&m_plot);
    // Rows have no numbers along y, but the first label of x reaches half its width to
    // the left.
    const int half = panel.hasRows() ? Paper::units(m_style.fontSize) : 0;
    rect->setMinimumMargins({half, 0, half, 0});
    cell->addElement(kAxes, 0, rect);
    PanelPlot content(m_paper, *rect);
    content.add(panel, hasNamesOfLeft(index) ? PanelRows::Names::Omitted
                                             : PanelRows::Names::Beside);
    addLegend(content, *cell);
    cell->setRowSpacing(Paper::units(2));
    if (panel.map) addScale(panel, content, *cell);
    const double besides =
        panel.hasRows() ? 0.0 : kAxisRoom + (panel.right ? kRightRoom : 0.0);
    const int inner =
        panelWidth() - Paper::units(besides * m_style.fontSize) - m_legendWidth;
    content.fitTicks(
        panel, panel.map ? inner - Paper::units(kScaleRoom * m_style.fontSize) : inner);
    alignColumn(index, *rect);
    noteHeight(index, panel, inner);
  }

  void addPicture(int index, QCPLayoutGrid& cell) {
    const FigurePanel& panel = m_figure.panels[std::size_t(index)];
    auto* element = new PictureElement(&m_plot, *panel.picture, m_paper);
    cell.addElement(kAxes, 0, element);
    cell.setRowSpacing(Paper::units(2));
    alignColumn(index, *element);
    const int besides = Paper::units(kAxisRoom * m_style.fontSize);
    noteHeight(index, element->heightFor(panelWidth() - besides));
  }

  void addScale(const FigurePanel& panel, PanelPlot& content, QCPLayoutGrid& cell) {
    auto* scale = new QCPColorScale(&m_plot);
    scale->setType(QCPAxis::atRight);
    cell.addElement(kAxes, kScaleColumn, scale);
    content.addScale(panel, *scale);
  }

  /// Whether the panel to the left has the same rows.
  bool hasNamesOfLeft(int index) const {
    if (index % m_figure.columns == 0) return false;
    const FigurePanel &panel = m_figure.panels[std::size_t(index)],
                      &left = m_figure.panels[std::size_t(index) - 1];
    return panel.hasRows() && left.hasRows() && panel.y.names == left.y.names;
  }

  /// Adds a legend unless the previous panel has the same entries.
  void addLegend(const PanelPlot& content, QCPLayoutGrid& cell) {
    m_legendWidth = 0;
    if (!m_style.legend) return;
    if (m_style.sharedLegend) return collect(content);
    const QStringList names = namesOf(content);
    if (names.size() < 2 || names == m_lastLegend) return;
    m_lastLegend = names;
    const bool isRight = m_style.legendPlace == LegendPlace::Right;
    auto* legend = new QCPLegend;
    if (isRight) {
      cell.addElement(kAxes, kLegendColumn, legend);
      cell.setColumnStretchFactor(kLegendColumn, kNoStretch);
      fill(*legend, content.named(), panelWidth() / 3);
      m_legendWidth = widthOf(content.named());
      return;
    }
    const bool isBelow = m_style.legendPlace == LegendPlace::Below;
    cell.addElement(isBelow ? kLegendBelow : kLegend, 0, legend);
    fill(*legend, content.named(), panelWidth());
    m_legendHeight = std::max(m_legendHeight, heightOf(*legend));
  }

  /// Notes entries for the shared legend, each name once.
  void collect(const PanelPlot& content) {
    for (QCPAbstractPlottable* plottable : content.named())
      if (std::ranges::none_of(m_shared, [&](const QCPAbstractPlottable* other) {
            return other->name() == plottable->name();
          }))
        m_shared << plottable;
  }

  void addSharedLegend() {
    if (m_shared.size() < 2) return;
    const bool isRight = m_style.legendPlace == LegendPlace::Right;
    QCPLayoutGrid& page = *m_plot.plotLayout();
    auto* legend = new QCPLegend;
    const int grid = page.rowCount() - 1;
    if (isRight) {
      page.addElement(grid, 1, legend);
      page.setColumnStretchFactor(1, kNoStretch);
      return fill(*legend, m_shared, width() / 4);
    }
    const bool isBelow = m_style.legendPlace == LegendPlace::Below;
    if (!isBelow) page.insertRow(grid);
    const int row = isBelow ? grid + 1 : grid;
    page.addElement(row, 0, legend);
    page.setRowStretchFactor(row, kNoStretch);
    fill(*legend, m_shared, width());
    m_height += heightOf(*legend) + Paper::units(kBetween / 2);
  }

  /// @param legend already in the layout, so that it belongs to the plot
  /// @param room width for one entry, or for all columns of entries together
  void fill(QCPLegend& legend, const QList<QCPAbstractPlottable*>& entries, int room) {
    legend.setLayer(QStringLiteral("legend"));
    m_paper.styleLegend(legend);
    const QFontMetricsF metrics(m_paper.font(kLegendType));
    for (QCPAbstractPlottable* plottable : entries)
      plottable->setName(metrics.elidedText(plottable->name(), Qt::ElideMiddle,
                                            room - Paper::units(kBesideName)));
    const bool isRight = m_style.legendPlace == LegendPlace::Right;
    const int fitting = std::clamp(room / widthOf(entries), 1, int(entries.size()));
    legend.setWrap(isRight ? 1 : fitting);  // before entries are placed
    for (QCPAbstractPlottable* plottable : entries) plottable->addToLegend(&legend);
  }

  /// The width of the widest entry.
  int widthOf(const QList<QCPAbstractPlottable*>& entries) const {
    const QFontMetricsF metrics(m_paper.font(kLegendType));
    double widest = 0.0;
    for (const QCPAbstractPlottable* plottable : entries)
      widest = std::max(widest, metrics.horizontalAdvance(plottable->name()));
    return int(widest) + Paper::units(kBesideName);
  }

  int heightOf(const QCPLegend& legend) const {
    const int rows = (legend.itemCount() + legend.wrap() - 1) / legend.wrap();
    return rows * Paper::units(1.3 * m_style.fontSize);
  }

  /// Aligns the axes of a column.
  void alignColumn(int index, QCPLayoutElement& rect) {
    const auto column = std::size_t(index % m_figure.columns);
    while (m_columnMargins.size() <= qsizetype(column))
      m_columnMargins << new QCPMarginGroup(&m_plot);
    rect.setMarginGroup(QCP::msLeft, m_columnMargins[qsizetype(column)]);
  }

  void noteHeight(int index, const FigurePanel& panel, int inner) {
    int height = panel.hasRows()
                     ? PanelPlot::rowHeight(panel, m_paper)
                     : int((panel.map ? kMapProportion : kProportion) * panelWidth());
    height += PanelPlot::nameHeight(panel, m_paper, inner) + m_legendHeight;
    noteHeight(index, height);
  }

  void noteHeight(int index, int height) {
    const int row = index / m_figure.columns;
    while (m_rowHeights.size() <= row) m_rowHeights << 0;
    if (!heading(index).isEmpty()) height += Paper::units(1.5 * m_style.fontSize);
    m_rowHeights[row] = std::max(m_rowHeights[row], height);
    if (index % m_figure.columns == m_figure.columns - 1) m_legendHeight = 0;
  }

  /// The cells of a row of panels.
  QList<QCPLayoutGrid*> cellsIn(int row) const {
    return m_cells.mid(row * m_figure.columns, m_figure.columns);
  }

  /// Aligns the upper ends, and the lower ends, of a row's axes.
  void alignRow(int row) {
    auto* margins = new QCPMarginGroup(&m_plot);
    for (const int part : {kHeading, kLegend, kLegendBelow}) {
      int height = 0;
      for (QCPLayoutGrid* cell : cellsIn(row))
        if (part < cell->rowCount() && cell->hasElement(part, 0))
          height =
              std::max(height, cell->element(part, 0)->minimumOuterSizeHint().height());
      if (part == kLegendBelow && height == 0) continue;
      for (QCPLayoutGrid* cell : cellsIn(row)) reserve(*cell, part, height);
    }
    for (QCPLayoutGrid* cell : cellsIn(row))
      for (int column = 0; column < cell->columnCount(); ++column)
        if (cell->hasElement(kAxes, column))
          cell->element(kAxes, column)
              ->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
  }

  /// Fixes the height of a part of a cell and aligns the part to the axes.
  void reserve(QCPLayoutGrid& cell, int part, int height) {
    if (!cell.hasElement(part, 0))
      cell.addElement(part, 0, new QCPLayoutElement(&m_plot));
    cell.setRowStretchFactor(part, kNoStretch);
    QCPLayoutElement* element = cell.element(part, 0);
    const int own = element->minimumOuterSizeHint().height();
    element->setAutoMargins(QCP::msNone);
    const bool isBelow = part == kLegendBelow;
    element->setMargins({0, isBelow ? 0 : height - own, 0, isBelow ? height - own : 0});
  }

  void shareRows() {
    for (int row = 0; row < m_rowHeights.size(); ++row) {
      alignRow(row);
      m_grid->setRowStretchFactor(row, m_rowHeights[row]);
      m_height += m_rowHeights[row] + Paper::units(kBetween);
    }
  }

  const Figure& m_figure;
  const FigureStyle& m_style;
  QCustomPlot& m_plot;
  Paper m_paper;
  QCPLayoutGrid* m_grid = nullptr;
  QStringList m_lastLegend;
  QList<QCPLayoutGrid*> m_cells;  ///< of the panels
  QList<QCPMarginGroup*> m_columnMargins;
  QList<int> m_rowHeights;
  QList<QCPAbstractPlottable*> m_shared;  ///< entries of the shared legend
  int m_legendHeight = 0;
  int m_legendWidth = 0;  ///< of a legend right of the current panel
  int m_height = 0;
};

FigurePlot::FigurePlot(const Figure& figure, const FigureStyle& style)
    : m_plot(std::make_unique<QCustomPlot>()) {
  m_size = Layout(figure, style, *m_plot).compose();
  // Ticks that are kept apart need the axes' lengths, which a first layout gives.
  m_plot->setViewport(QRect({}, m_size));
  m_plot->plotLayout()->setOuterRect(QRect({}, m_size));
  for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins,
                           QCPLayoutElement::upLayout})
    m_plot->plotLayout()->update(phase);
}

FigurePlot::~FigurePlot() = default;

void FigurePlot::paintVectors(QPaintDevice& device) {
  QCPPainter painter;
  painter.begin(&device);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.setMode(QCPPainter::pmNonCosmetic);
  painter.setRenderHint(QPainter::LosslessImageRendering);
  m_plot->toPainter(&painter, m_size.width(), m_size.height());
}

void FigurePlot::paintPixels(QPaintDevice& device, double scale) {
  QCPPainter painter;
  painter.begin(&device);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.setMode(QCPPainter::pmNonCosmetic);
  painter.scale(scale, scale);
  m_plot->toPainter(&painter, m_size.width(), m_size.height());
}

}  // namespace equipatch
