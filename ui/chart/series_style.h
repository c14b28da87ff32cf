#pragma once

#include <QIcon>
#include <QPen>
#include <QString>
#include <string>

#include "core/figure/figure.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// How a series looks, apart from the theme: the colour is a role, not a value.
struct SeriesStyle {
  enum class Line { Solid, Dash, Dot, None };

  QString name;
  QColor (*colour)(const Colours&) = nullptr;
  Line line = Line::Solid;
  QCPScatterStyle::ScatterShape shape = QCPScatterStyle::ssNone;
  double size = 5.0;   ///< of the shape, pixels
  double width = 1.6;  ///< of a solid line and the shape's outline, pixels

  bool operator==(const SeriesStyle&) const = default;
};

/// A record's matrix as people read it: "shared_gate" is "shared gate".
QString matrixLabel(const std::string& matrix);

/// Colour and shape of the n-th of several like series (patched matrices). After six the
/// colours come again, with other shapes and dashes.
SeriesStyle numberedStyle(const QString& name, int index);

/// How a panel's curve or marks look, on the screen and on paper. A dense curve has no
/// shapes; lines are solid, dashed and dotted in turn instead.
SeriesStyle styleOf(const FigureCurve& curve);
SeriesStyle styleOf(const FigureMarks& marks);

/// Thicker lines and larger shapes, for large type.
SeriesStyle enlarged(SeriesStyle style, double factor);

/// @param points that the line joins: the dashes of many are thin, wide ones draw slowly.
QPen penOf(const SeriesStyle& style, const Colours& colours, int points = 0);
QCPScatterStyle scatterOf(const SeriesStyle& style, const Colours& colours);
/// The series in small, for a legend.
QIcon swatchOf(const SeriesStyle& style, const Colours& colours);

}  // namespace equipatch
