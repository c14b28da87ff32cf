// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPen>
#include <QString>
#include <string>

#include "core/figure/curve_mark.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Number of styles for runs; further runs repeat them.
inline constexpr int kRunStyles = 12;

/// The look of a series in any theme; `colour` picks one of the theme's colours.
struct SeriesStyle {
  enum class Line { Solid, Dash, Dot, DashDot, DashDotDot, LongDash, WideDot, None };

  QString name;
  QColor (*colour)(const Colours&) = nullptr;
  Line line = Line::Solid;
  QCPScatterStyle::ScatterShape shape = QCPScatterStyle::ssNone;
  double size = 5.0;   ///< of the shape, pixels
  double width = 1.6;  ///< of a solid line and the shape's outline, pixels
  bool open = false;   ///< only the shape's outline has the colour
  QColor own = {};     ///< chosen by the user, for every theme; invalid: none
  bool isRun = false;  ///< `name` is a run's name, not a glossary term

  bool isDashed() const { return line != Line::Solid && line != Line::None; }
  QColor in(const Colours& colours) const {
    return own.isValid() ? own : colour(colours);
  }
  bool operator==(const SeriesStyle&) const = default;
};

/// A record's name of a matrix as shown to the user: "shared gate" for "shared_gate".
QString matrixLabel(const std::string& matrix);

/// The look of the n-th of several series (runs, patched matrices). After six series, the
/// colours repeat with other shapes and lines.
SeriesStyle numberedStyle(const QString& name, int index);

/// The colour and the line of a run's style in words: "blue, dashed".
QString styleText(int index);
/// True if neither colour nor dashes distinguish two lines.
bool looksAlike(const SeriesStyle& a, const SeriesStyle& b, const Colours& colours);

QCPScatterStyle::ScatterShape shapeOf(const CurveMark& mark);

/// The look of a panel's curve. A dense curve has no shapes.
SeriesStyle styleOf(const FigureCurve& curve);
/// The look of a panel's marks. If each ✗ has the colour of its run (inColourOf), this is
/// the look of the legend's ✗, which has the colour of text.
SeriesStyle styleOf(const FigureMarks& marks, const FigurePanel& panel);
/// The look `marks` in the colour of the marks' curve.
SeriesStyle inColourOf(const FigureCurve& curve, SeriesStyle marks);
/// Look of a curve's exact zeros on a logarithmic axis.
SeriesStyle zeroStyle(const SeriesStyle& curve);
/// The legend's entry that explains zeroStyle.
SeriesStyle zeroRemark();

/// Thicker lines and larger shapes, for large type.
SeriesStyle enlarged(SeriesStyle style, double factor);

/// Lengths of dashes and gaps, in line widths; empty: a solid line, or none.
QList<qreal> dashesOf(SeriesStyle::Line line);
/// A dashed line is one pixel wide, unless its style is wider than usual and it has few
/// points.
/// @param points number of the line's points
QPen penOf(const SeriesStyle& style, const Colours& colours, int points = 0);
QCPScatterStyle scatterOf(const SeriesStyle& style, const Colours& colours);
/// Omits shapes of a line that would cover each other at the present scale of its axis.
void thinShapes(QCPGraph& graph);
/// A sample of the series' line and shape, for a legend.
QIcon swatchOf(const SeriesStyle& style, const Colours& colours);

}  // namespace equipatch
