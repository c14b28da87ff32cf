#pragma once

#include "core/figure/figure.h"
#include "ui/chart/axes.h"
#include "ui/figure/paper.h"

namespace equipatch {

/// Puts a panel into an axis rectangle and a legend of a plot that is drawn on paper.
class PanelPlot {
 public:
  /// All outlive this.
  PanelPlot(const Paper& paper, QCPAxisRect& rect);

  void add(const FigurePanel& panel);
  /// Which of its plottables have a name that a legend shows.
  const QList<QCPAbstractPlottable*>& named() const { return m_named; }
  /// Joins a panel's map to its colour scale.
  void addScale(const FigurePanel& panel, QCPColorScale& scale);

  /// Thins out the numbers or names along an axis to those that `width` units have room
  /// for, and turns names upright where that helps.
  void fitTicks(const FigurePanel& panel, int width);
  /// Height of the names under a panel, upright, in units.
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
