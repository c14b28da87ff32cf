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

/// Number of styles for several runs in one chart; further runs repeat them.
inline constexpr int kRunStyles = 12;

/// Look of a series in any theme: `colour` picks from the theme's colours.
struct SeriesStyle {
  enum class Line { Solid, Dash, Dot, DashDot, DashDotDot, LongDash, WideDot, None };

  QString name;
  QColor (*colour)(const Colours&) = nullptr;
  Line line = Line::Solid;
  QCPScatterStyle::ScatterShape shape = QCPScatterStyle::ssNone;
  double size = 5.0;   ///< of the shape, pixels
  double width = 1.6;  ///< of a solid line and the shape's outline, pixels
  bool open = false;   ///< the shape has the colour at its outline only
  QColor own = {};     ///< from the user, in every theme; invalid: none
  bool isRun = false;  ///< the name is a run's, no word of the glossary

  bool isDashed() const { return line != Line::Solid && line != Line::None; }
  QColor in(const Colours& colours) const {
    return own.isValid() ? own : colour(colours);
  }
  bool operator==(const SeriesStyle&) const = default;
};

/// A matrix's name in a record as shown to the user: "shared_gate" is "shared gate".
QString matrixLabel(const std::string& matrix);

/// Look of the n-th of several series (runs, patched matrices): lines are solid, dashed
/// or dotted in turn. After six the colours repeat with other shapes and lines.
SeriesStyle numberedStyle(const QString& name, int index);

/// The colour and the line of a run's style in words: "blue, dashed".
QString styleText(int index);
/// True if two lines cannot be distinguished by colour and dashes.
bool looksAlike(const SeriesStyle& a, const SeriesStyle& b, const Colours& colours);

/// A mark as QCustomPlot's shape.
QCPScatterStyle::ScatterShape shapeOf(const CurveMark& mark);

/// Look of a panel's curve or marks, on the screen and on paper. A dense curve has no
/// shapes.
SeriesStyle styleOf(const FigureCurve& curve);
/// In a panel where each ✗ has the colour of its run (inColourOf), the ✗ of this style,
/// which the legend shows, has the colour of text.
SeriesStyle styleOf(const FigureMarks& marks, const FigurePanel& panel);
/// The look of marks that belong to a curve.
SeriesStyle inColourOf(const FigureCurve& curve, SeriesStyle marks);
/// Look of a curve's exact zeros on a logarithmic axis.
SeriesStyle zeroStyle(const SeriesStyle& curve);
/// The legend's entry that explains zeroStyle.
SeriesStyle zeroRemark();

/// Thicker lines and larger shapes, for large type.
SeriesStyle enlarged(SeriesStyle style, double factor);

/// Lengths of dashes and gaps, in line widths; empty: a solid line, or none.
QList<qreal> dashesOf(SeriesStyle::Line line);
/// A dashed line is one pixel wide, because Qt draws wider dashes slowly. Only a line
/// that is wider than usual and has few points keeps its width.
/// @param points of the line
QPen penOf(const SeriesStyle& style, const Colours& colours, int points = 0);
QCPScatterStyle scatterOf(const SeriesStyle& style, const Colours& colours);
/// Omits shapes of a line where they would cover each other, at the axes' present size.
void thinShapes(QCPGraph& graph);
/// The series in small, for a legend.
QIcon swatchOf(const SeriesStyle& style, const Colours& colours);

}  // namespace equipatch
