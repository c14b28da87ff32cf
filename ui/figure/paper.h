// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPen>

#include "ui/chart/theme.h"
#include "ui/figure/figure_file.h"
#include "ui/qcp.h"

namespace equipatch {

struct FigureFont {
  const char* title;   ///< "Computer Modern (CMU Serif)"
  const char* family;  ///< empty: DejaVu Sans, the default
};

/// DejaVu Sans and the other supported fonts that are installed.
QList<FigureFont> figureFonts();

/// Lengths, fonts and colours of printed figures. Lengths are in units of a quarter of a
/// point, because QCustomPlot takes only integers. The units do not depend on the screen.
class Paper {
 public:
  static constexpr int kUnitsPerPoint = 4;
  static constexpr int kUnitsPerInch = 72 * kUnitsPerPoint;

  explicit Paper(const FigureStyle& style);

  static int units(double points) { return qRound(points * kUnitsPerPoint); }

  const Colours& colours() const { return m_theme.colours(); }
  /// @param relativeSize factor of the figure's font size
  QFont font(double relativeSize = 1.0, QFont::Weight weight = QFont::Normal) const;
  QPen pen(const QColor& colour, double points, Qt::PenStyle line = Qt::SolidLine) const;
  double fontSize() const { return m_style.fontSize; }  ///< points

  void styleAxis(QCPAxis& axis) const;
  void styleScale(QCPColorScale& scale) const;
  void styleLegend(QCPLegend& legend) const;

 private:
  FigureStyle m_style;
  Theme m_theme;
};

}  // namespace equipatch
