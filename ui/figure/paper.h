#pragma once

#include <QFont>
#include <QPen>

#include "ui/chart/theme.h"
#include "ui/figure/figure_style.h"
#include "ui/qcp.h"

namespace equipatch {

/// What figures are drawn on: lengths, type and colours of print. Everything is measured
/// in quarters of a point, because QCustomPlot knows whole numbers only, and independent
/// of the screen, so that a figure is the same wherever it is made.
class Paper {
 public:
  static constexpr int kUnitsPerPoint = 4;
  static constexpr int kUnitsPerInch = 72 * kUnitsPerPoint;

  explicit Paper(const FigureStyle& style);

  /// Units of so many points.
  static int units(double points) { return qRound(points * kUnitsPerPoint); }

  const Colours& colours() const { return m_theme.colours(); }
  /// Of a size relative to the figure's.
  QFont font(double relativeSize = 1.0, QFont::Weight weight = QFont::Normal) const;
  QPen pen(const QColor& colour, double points, Qt::PenStyle line = Qt::SolidLine) const;
  double fontSize() const { return m_style.fontSize; }

  void styleAxis(QCPAxis& axis) const;
  void styleScale(QCPColorScale& scale) const;
  void styleLegend(QCPLegend& legend) const;

 private:
  FigureStyle m_style;
  Theme m_theme;
};

}  // namespace equipatch
