// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/figure/figure.h"
#include "ui/figure/figure_legends.h"
#include "ui/figure/map_over_picture.h"
#include "ui/figure/panel_plot.h"
#include "ui/figure/paper.h"
#include "ui/figure/picture_element.h"
#include "ui/figure/words_element.h"

namespace equipatch {

/// Arranges a figure's panels in a plot's grid. An incomplete row has wider panels.
class FigureLayout {
 public:
  /// @param figure, plot outlive this
  FigureLayout(const Figure& figure, const FigureStyle& style, int columns,
               QCustomPlot& plot);

  QSize size() const { return m_size; }
  /// Fits ticks and labels to the axes' lengths, and heights to the proportions of
  /// pictures. Lay the plot out before this call, and again after it.
  void fit();
  QList<QSize> axesSizes() const;
  /// The shorter side of the smallest axes, in font sizes, after dividing the width by
  /// the usual ratio of width to height. A picture with a caption counts by the factor
  /// that shrinks it; rows of boxes or bars do not count. 0 if names, a caption, two
  /// labels of a left axis, or a map over a picture do not fit.
  double leastSide() const;
  /// A sentence: how the layout deviates from the style. Empty: not at all.
  const QString& remark() const { return m_remark; }

 private:
  struct RowHeight {
    int axes = 0;
    int besides = 0;        ///< headings, legends and what is below the axes
    bool isOfMaps = false;  ///< over a picture; its proportions limit `axes`
  };
  struct Cell {
    const FigurePanel* panel = nullptr;
    QCPLayoutGrid* grid = nullptr;
    QCPLayoutGrid* upper = nullptr;  ///< heading and legend
    QCPAxisRect* rect = nullptr;     ///< null: pictures
    PictureElement* pictures = nullptr;
    ProportionalAxes* proportional = nullptr;  ///< `rect` of a map over a picture
    WordsElement* scaleLabel = nullptr;        ///< of a map
    std::unique_ptr<PanelPlot> plot;
    RowHeight height = {};  ///< without heading and legend

    /// A map over a picture, or that picture without a caption.
    bool isMapOrPicture() const {
      return proportional || (!panel->pictures.empty() && panel->caption.empty());
    }
  };

  void compose();
  int width() const { return Paper::units(72 * m_style.width); }
  int count() const { return int(m_figure.panels.size()); }
  int rows() const { return (count() + m_columns - 1) / m_columns; }
  int panelsIn(int row) const { return std::min(m_columns, count() - row * m_columns); }
  int panelWidth(int index) const {
    return (width() - m_sideWidth) / panelsIn(index / m_columns);
  }
  std::span<Cell> cellsIn(int row) {
    return std::span(m_cells).subspan(std::size_t(row) * std::size_t(m_columns),
                                      std::size_t(panelsIn(row)));
  }

  void addTitle();
  void addPanel(int index);
  void addPictures(int index, Cell& cell);
  void addAxes(int index, Cell& cell);
  void addScale(int index, Cell& cell);
  QStringList headings() const;
  QFont headingFont() const;
  void addHeading(int index, Cell& cell);
  bool hasNamesOfLeft(int index) const;
  void addLegends();
  /// Moves all legends from the right to above if one would take too much of the width.
  void placeLegends(const FigureLegends& legends);
  void addLegend(const PanelLegend& legend);
  void addLegendRight(const PanelLegend& legend, Cell& cell);
  void addSharedLegend(const LegendEntries& entries);
  QCPLegend* addUpperLegend(QCPLayoutGrid& grid, int row, int column);
  void alignColumn(int index, QCPLayoutElement& element, QCP::MarginSide side,
                   QList<QCPMarginGroup*>& groups);
  void alignRow(int row);
  void reserve(QCPLayoutGrid& cell, int part, int height);
  RowHeight heightOf(int row);
  void shareHeight();
  void leaveBelow(double height);
  void fitMaps();
  int mapHeight(const Cell& cell) const;

  const Figure& m_figure;
  FigureStyle m_style;
  int m_columns;
  QCustomPlot& m_plot;
  Paper m_paper;
  QCPLayoutGrid* m_grid = nullptr;                         ///< rows of panels
  std::vector<Cell> m_cells;                               ///< by panel
  QStringList m_headings;                                  ///< by panel
  QList<QCPMarginGroup*> m_columnMargins, m_scaleMargins;  ///< by column
  int m_legendWidth = 0;  ///< of the legends right of panels
  int m_sideWidth = 0;    ///< of a shared legend right of all panels
  int m_height = 0;       ///< of what is above and below the panels
  /// The greatest height at which every map over a picture fits the width of its panel;
  /// QWIDGETSIZE_MAX: the figure has no such map.
  int m_mostMapHeight = QWIDGETSIZE_MAX;
  int m_mapHeight = 0;      ///< of each map over a picture
  double m_mapScale = 1.0;  ///< at most 1
  QSize m_size;
  QString m_remark;
};

}  // namespace equipatch
