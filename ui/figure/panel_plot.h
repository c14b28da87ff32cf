// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"
#include "ui/chart/panel_rows.h"
#include "ui/chart/series_style.h"
#include "ui/figure/paper.h"

namespace equipatch {

/// Draws a panel on paper, into an axis rectangle of a plot.
class PanelPlot {
 public:
  /// @param paper, rect outlive this.
  PanelPlot(const Paper& paper, QCPAxisRect& rect);

  /// @param names of rows: Beside or Omitted
  void add(const FigurePanel& panel, PanelRows::Names names = PanelRows::Names::Beside);
  /// The plottables that a legend lists.
  const QList<QCPAbstractPlottable*>& named() const { return m_named; }
  /// Sets up the colour scale of a panel's map. Call it after add().
  void addScale(const FigurePanel& panel, QCPColorScale& scale);

  /// Thins out the tick labels along x until they fit into `width` units; rotates all
  /// names by 90° if they would overlap.
  void fitTicks(const FigurePanel& panel, int width);
  /// Breaks the names of rows into lines.
  /// @param width of the panel, in units
  void fitNames(int width) { m_rows.fitNames(width); }
  /// Fits ticks and labels to the axes' present lengths.
  void fit(const FigurePanel& panel);
  /// The height of a panel's rows and the axis labels below, in units; 0: no rows.
  static int rowHeight(const FigurePanel& panel, const Paper& paper, int width);
  /// Whether the names of rows have room in the axes' present height.
  bool fitsNames(const FigurePanel& panel, int width) const;
  /// Additional height of rotated names under a panel, in units.
  static int nameHeight(const FigurePanel& panel, const Paper& paper, int width);

 private:
  QCPAxis* x() const { return m_rect.axis(QCPAxis::atBottom); }
  QCPAxis* y() const { return m_rect.axis(QCPAxis::atLeft); }
  QCPAxis* right() const { return m_rect.axis(QCPAxis::atRight); }
  QCustomPlot& plot() const { return *m_rect.parentPlot(); }

  void styleAxes(const FigurePanel& panel);
  void fitMarks();
  void fitNumbers(QCPAxis& axis, int most);
  void fitLabel(QCPAxis& axis, const FigureAxis& figure, int length);
  void addCurve(const FigureCurve& curve);
  void addBand(const FigureCurve& curve, const QColor& colour);
  void addZeroMarks(const FigureCurve& curve);
  void addZeroRemark();
  void addMarks(const FigureMarks& marks, const FigurePanel& panel);
  QCPGraph* addMarks(const FigureMarks& marks, const SeriesStyle& style);
  void addRows(const FigurePanel& panel, PanelRows::Names names);
  void addMap(const FigurePanel& panel);
  QCPAxis* axisOf(const FigureCurve& curve) const {
    return curve.onRight ? right() : y();
  }
  /// A graph of points without a line.
  QCPGraph* addDots(const SeriesStyle& style);

  const Paper& m_paper;
  QCPAxisRect& m_rect;
  PanelRows m_rows;
  QCPColorMap* m_map = nullptr;
  QList<QCPAbstractPlottable*> m_named;
  QList<QCPGraph*> m_marks;
};

}  // namespace equipatch
