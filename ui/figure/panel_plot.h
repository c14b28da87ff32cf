// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"
#include "ui/chart/axes.h"
#include "ui/figure/paper.h"

namespace equipatch {

/// Draws a panel on paper: into an axis rectangle of a plot.
class PanelPlot {
 public:
  /// @param paper, rect outlive this.
  PanelPlot(const Paper& paper, QCPAxisRect& rect);

  void add(const FigurePanel& panel);
  /// The plottables that a legend lists.
  const QList<QCPAbstractPlottable*>& named() const { return m_named; }
  /// Sets up the colour scale of a panel's map.
  void addScale(const FigurePanel& panel, QCPColorScale& scale);

  /// Thins out the tick labels along x to those that fit into `width` units, and turns
  /// names upright where they would overlap.
  void fitTicks(const FigurePanel& panel, int width);
  /// Additional height of upright names under a panel, in units.
  static int nameHeight(const FigurePanel& panel, const Paper& paper, int width);

 private:
  QCPAxis* x() const { return m_rect.axis(QCPAxis::atBottom); }
  QCPAxis* y() const { return m_rect.axis(QCPAxis::atLeft); }
  QCustomPlot& plot() const { return *m_rect.parentPlot(); }

  void styleAxes(const FigurePanel& panel);
  void addCurve(const FigureCurve& curve, bool dotted);
  void addBand(const FigureCurve& curve, const QColor& colour);
  void addMarks(const FigureMarks& marks);
  void addBox(const FigureBox& box);
  void addBar(const FigureBar& bar);
  void addMap(const FigureMap& map);
  void setRanges(const FigurePanel& panel);
  double shown(double value) const { return placeOn(*y(), value); }

  const Paper& m_paper;
  QCPAxisRect& m_rect;
  QCPColorMap* m_map = nullptr;
  QList<QCPAbstractPlottable*> m_named;
};

}  // namespace equipatch
