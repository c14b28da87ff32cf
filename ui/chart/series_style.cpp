// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/series_style.h"

#include <QMap>
#include <QPixmap>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/figure/panel_range.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

using Line = SeriesStyle::Line;

constexpr int kManyPoints = 200;

template <int Index>
QColor numbered(const Colours& colours) {
  return colours.series[Index];
}

constexpr std::array kSeriesColours = {numbered<0>, numbered<1>, numbered<2>,
                                       numbered<3>, numbered<4>, numbered<5>};
static_assert(kSeriesColours.size() == kCurveColours);

}  // namespace

QString matrixLabel(const std::string& matrix) {
  return QString::fromStdString(matrix).replace(u'_', u' ');
}

namespace {

Line drawnLine(CurveLine line) {
  constexpr std::array kLines = {Line::Solid, Line::Dash, Line::Dot};
  return kLines[std::size_t(line)];
}

void setMark(SeriesStyle& style, const CurveMark& mark) {
  style.shape = shapeOf(mark);
  style.open = mark.open;
}

}  // namespace

QCPScatterStyle::ScatterShape shapeOf(const CurveMark& mark) {
  using Shape = CurveMark::Shape;
  switch (mark.shape) {
    case Shape::Disc:
      return QCPScatterStyle::ssDisc;
    case Shape::Square:
      return QCPScatterStyle::ssSquare;
    case Shape::Triangle:
      return QCPScatterStyle::ssTriangle;
    case Shape::InvertedTriangle:
      return QCPScatterStyle::ssTriangleInverted;
    case Shape::Plus:
      return QCPScatterStyle::ssPlus;
    case Shape::Star:
      return QCPScatterStyle::ssStar;
    case Shape::None:
      break;
  }
  return QCPScatterStyle::ssNone;
}

SeriesStyle numberedStyle(const QString& name, int index) {
  SeriesStyle style;
  style.name = name;
  style.colour = kSeriesColours[std::size_t(index) % kSeriesColours.size()];
  setMark(style, numberedMark(index));
  style.line = drawnLine(numberedLine(index));
  return style;
}

namespace {

Line referenceLine(int index) {
  constexpr std::array kLines = {Line::Dash, Line::Dot, Line::DashDot, Line::LongDash};
  return kLines[std::size_t(index) % kLines.size()];
}

/// Colour and line of a look other than Numbered.
SeriesStyle quantityStyle(FigureCurve::Look look) {
  using Look = FigureCurve::Look;
  switch (look) {
    case Look::Patched:
      return {.colour = [](const Colours& c) { return c.patched; }};
    case Look::Distribution:
      return {.colour = [](const Colours& c) { return c.distribution; },
              .line = Line::LongDash};
    case Look::Probability:
      return {.colour = [](const Colours& c) { return c.bare; }, .line = Line::Dash};
    case Look::Bare:
      return {.colour = [](const Colours& c) { return c.bare; }, .line = Line::Dash};
    case Look::Ablated:
      return {.colour = [](const Colours& c) { return c.bare; },
              .line = Line::DashDotDot};
    case Look::Margin:
      return {.colour = [](const Colours& c) { return c.margin; }, .line = Line::Dot};
    case Look::Noise:
      return {.colour = [](const Colours& c) { return c.noise; }, .line = Line::DashDot};
    case Look::Audit:
      return {.colour = [](const Colours& c) { return c.patched; },
              .line = Line::WideDot};
    case Look::Numbered:
    case Look::Reference:
      break;
  }
  return {.colour = [](const Colours& c) { return c.margin; }, .line = Line::Dash};
}

SeriesStyle styleBesideRuns(const FigureCurve& curve) {
  using Look = FigureCurve::Look;
  SeriesStyle style = quantityStyle(curve.isReference() ? Look::Reference : curve.look);
  if (curve.look == Look::Margin) style.line = Line::Dot;
  if (curve.look == Look::Noise) style.line = Line::DashDot;
  if (curve.look == Look::Audit) style.line = Line::LongDash;
  if (curve.look == Look::Ablated) style.line = Line::DashDotDot;
  if (curve.isReference()) return style;
  style.colour = numberedStyle({}, curve.style).colour;
  style.size = 3.5;  // less conspicuous than the quantity that is compared
  style.width = 1.0;
  return style;
}

}  // namespace

SeriesStyle styleOf(const FigureCurve& curve) {
  const QString name = QString::fromStdString(curve.name);
  const bool numbered = curve.look == FigureCurve::Look::Numbered;
  SeriesStyle style = numbered           ? numberedStyle(name, curve.style)
                      : curve.besideRuns ? styleBesideRuns(curve)
                                         : quantityStyle(curve.look);
  if (curve.look == FigureCurve::Look::Reference) style.line = referenceLine(curve.style);
  style.name = name;
  if (!curve.colour.empty()) style.own = QColor(QString::fromStdString(curve.colour));
  setMark(style, markOf(curve));
  return style;
}

QString styleText(int index) {
  static const QStringList kNames = {tr("blue"), tr("orange"), tr("green"),
                                     tr("pink"), tr("grey"),   tr("brown")};
  static const QMap<Line, QString> kLines = {
      {Line::Solid, tr("solid")}, {Line::Dash, tr("dashed")}, {Line::Dot, tr("dotted")}};
  return tr("%1, %2").arg(kNames[index % kNames.size()],
                          kLines[drawnLine(numberedLine(index))]);
}

bool looksAlike(const SeriesStyle& a, const SeriesStyle& b, const Colours& colours) {
  constexpr int kNear = 60;  // sum of the three channels' differences
  const QColor first = a.in(colours);
  const QColor second = b.in(colours);
  const int apart = std::abs(first.red() - second.red()) +
                    std::abs(first.green() - second.green()) +
                    std::abs(first.blue() - second.blue());
  return a.line == b.line && apart < kNear;
}

SeriesStyle styleOf(const FigureMarks& marks, const FigurePanel& panel) {
  const QString name = QString::fromStdString(marks.name);
  if (marks.symbol == FigureMarks::Symbol::SampledDifference)
    return {.name = name,
            .colour = [](const Colours& c) { return c.patched; },
            .line = Line::None,
            .shape = QCPScatterStyle::ssDiamond,
            .size = 8.0};
  SeriesStyle style{.name = name,
                    .colour = [](const Colours& c) { return c.mismatch; },
                    .line = Line::None,
                    .shape = QCPScatterStyle::ssCross,
                    .size = 9.0,
                    .width = 2.2};
  if (panel.hasColouredMarks()) style.colour = [](const Colours& c) { return c.text; };
  return style;
}

SeriesStyle inColourOf(const FigureCurve& curve, SeriesStyle marks) {
  const SeriesStyle own = styleOf(curve);
  marks.colour = own.colour;
  marks.own = own.own;
  return marks;
}

SeriesStyle zeroStyle(const SeriesStyle& curve) {
  constexpr double kLarger = 1.4;  // than the point's shape, which the mark covers
  SeriesStyle style = curve;
  style.line = Line::None;
  if (curve.shape != QCPScatterStyle::ssNone) style.size *= kLarger;
  style.shape = QCPScatterStyle::ssCircle;
  style.open = true;
  return style;
}

SeriesStyle zeroRemark() {
  SeriesStyle style = zeroStyle(quantityStyle(FigureCurve::Look::Reference));
  style.name = QString::fromUtf8(kZeroName);
  style.size = 7.0;
  return style;
}

SeriesStyle enlarged(SeriesStyle style, double factor) {
  style.size *= factor;
  style.width *= factor;
  return style;
}

QList<qreal> dashesOf(SeriesStyle::Line line) {
  switch (line) {
    case Line::Dash:
      return {5, 3};
    case Line::Dot:
      return {2, 2};
    case Line::DashDot:
      return {7, 3, 2, 3};
    case Line::DashDotDot:
      return {7, 3, 2, 3, 2, 3};
    case Line::LongDash:
      return {10, 3};
    case Line::WideDot:
      return {2, 7};
    case Line::Solid:
    case Line::None:
      break;
  }
  return {};
}

QPen penOf(const SeriesStyle& style, const Colours& colours, int points) {
  QPen pen(style.in(colours), style.width);
  if (style.line == SeriesStyle::Line::None) pen.setStyle(Qt::NoPen);
  if (style.isDashed() && (style.width <= SeriesStyle().width || points > kManyPoints)) {
    // Qt strokes dashes wider than a pixel as shapes, which takes a hundred times as long
    // for a thousand steps. With few points the pen is not cosmetic, so that the line is
    // wider than a pixel on a high-density screen.
    pen.setWidthF(1.0);
    pen.setCosmetic(points > kManyPoints);
  }
  if (style.isDashed()) pen.setDashPattern(dashesOf(style.line));
  return pen;
}

QCPScatterStyle scatterOf(const SeriesStyle& style, const Colours& colours) {
  const QColor colour = style.in(colours);
  return QCPScatterStyle(style.shape, QPen(colour, style.width),
                         QBrush(style.open ? colours.surface : colour), style.size);
}

namespace {

QPixmap swatchPixmap(const SeriesStyle& style, const Colours& colours,
                     const QColor& background) {
  constexpr qreal kScale = 2.0;  // crisp on high-density screens
  constexpr int kWidth = 20;
  constexpr int kHeight = 12;
  QPixmap pixmap(QSize(kWidth, kHeight) * kScale);
  pixmap.setDevicePixelRatio(kScale);
  pixmap.fill(Qt::transparent);
  QCPPainter painter(&pixmap);
  painter.setAntialiasing(true);
  painter.setPen(Qt::NoPen);
  painter.setBrush(background);
  painter.drawRoundedRect(QRectF(0, 0, kWidth, kHeight), 3.0, 3.0);
  QPen line = penOf(style, colours);
  line.setCosmetic(false);
  line.setWidthF(style.width);
  painter.setPen(line);
  painter.drawLine(QLineF(1, kHeight / 2.0, kWidth - 1, kHeight / 2.0));
  const QCPScatterStyle scatter = scatterOf(style, colours);
  scatter.applyTo(&painter, painter.pen());
  scatter.drawShape(&painter, kWidth / 2.0, kHeight / 2.0);
  painter.end();
  return pixmap;
}

}  // namespace

void thinShapes(QCPGraph& graph) {
  constexpr double kApart = 2.0;  // least distance between shapes, in sizes of a shape
  const auto points = graph.data()->size();
  if (points < 2 || graph.lineStyle() == QCPGraph::lsNone) return;
  const QCPAxis& axis = *graph.keyAxis();
  const double first = graph.data()->at(0)->key, last = graph.data()->at(points - 1)->key;
  const double slot =
      std::abs(axis.coordToPixel(last) - axis.coordToPixel(first)) / (points - 1);
  const double slots = kApart * graph.scatterStyle().size() / std::max(slot, 1e-3);
  graph.setScatterSkip(std::max(0, int(std::ceil(std::min(slots, 1e6))) - 1));
}

/// In a selected row the swatch has the chart's background, because the row's highlight
/// has nearly the colour of the first series.
QIcon swatchOf(const SeriesStyle& style, const Colours& colours) {
  QIcon icon(swatchPixmap(style, colours, Qt::transparent));
  icon.addPixmap(swatchPixmap(style, colours, colours.surface), QIcon::Selected);
  return icon;
}

}  // namespace equipatch
