// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/figure/log_ticks.h"
#include "core/figure/panel_range.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

// Both values are outside every range that core/figure/panel_range.cpp finds for a
// logarithmic axis, but limits that the user sets may reach farther. QCustomPlot divides
// a value by an end of the range; for these values the quotient is finite and not 0.
constexpr double kFarBelow = 1e-250, kFarAbove = 1e65;
constexpr char kMarksProperty[] = "hasMarks";
// The labels of an axis within this range are plain decimals, not powers of ten.
constexpr double kLeastPlain = 1e-3, kMostPlain = 1e4;

/// Styles the marked values, which are the only subticks of an IntegerTicker.
void styleMarks(QCPAxis& axis) {
  const auto ticker = axis.ticker().dynamicCast<IntegerTicker>();
  const double line = axis.basePen().widthF();
  if (!ticker || !ticker->hasMarks()) {
    if (!axis.property(kMarksProperty).toBool()) return;
    axis.setProperty(kMarksProperty, false);
    axis.setSubTickPen(axis.tickPen());
    return axis.setSubTickLength(2, 0);  // QCustomPlot's default
  }
  axis.setProperty(kMarksProperty, true);
  constexpr double kThick = 3.0, kLong = 5.0;  // times the axis line
  axis.setSubTickPen(QPen(axis.labelColor(), kThick * line, Qt::SolidLine, Qt::FlatCap));
  axis.setSubTickLength(0, int(std::lround(kLong * line)));
}

}  // namespace

void styleAxis(QCPAxis& axis, const Colours& colours, const QFont& font) {
  constexpr double kSmaller = 0.88;
  QFont small = font;
  small.setPointSizeF(font.pointSizeF() * kSmaller);
  axis.setBasePen(QPen(colours.border));
  axis.setTickPen(QPen(colours.border));
  axis.setSubTickPen(QPen(colours.border));
  axis.setTickLabelColor(colours.muted);
  axis.setLabelColor(colours.muted);
  axis.setTickLabelFont(small);
  axis.setLabelFont(small);
  axis.setLabelPadding(4);
  axis.grid()->setPen(QPen(colours.raised, 1));
  axis.grid()->setSubGridVisible(false);
  axis.grid()->setZeroLinePen(Qt::NoPen);
  styleMarks(axis);
}

void setUpAxis(const FigureAxis& figure, QCPAxis& axis) {
  axis.setLabel(QString::fromStdString(figure.title()));
  if (figure.scale == FigureScale::Logarithmic) return makeLogarithmic(&axis);
  axis.setScaleType(QCPAxis::stLinear);
  if (figure.counts)
    axis.setTicker(QSharedPointer<IntegerTicker>::create(
        QVector<double>(figure.marked.begin(), figure.marked.end())));
  else
    axis.setTicker(QSharedPointer<LinearTicker>::create());
  styleMarks(axis);
}

void makeLogarithmic(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<LogTicker>::create());
}

bool isLogarithmic(const QCPAxis& axis) {
  return axis.scaleType() == QCPAxis::stLogarithmic;
}

double logValue(double value) {
  return value > kFarBelow ? std::min(value, kFarAbove) : kFarBelow;  // NaN: below
}

double placeOn(const QCPAxis& axis, double value) {
  if (isLogarithmic(axis) && !std::isnan(value)) return logValue(value);
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

double IntegerTicker::getTickStep(const QCPRange& range) {
  return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
}

QString IntegerTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return QString::number(std::llround(tick));
}

/// The decimal sign is a point, so that figures do not depend on the language.
QString LinearTicker::getTickLabel(double tick, const QLocale&, QChar format,
                                   int precision) {
  QString label = QCPAxisTicker::getTickLabel(tick, QLocale::c(), format, precision);
  if (const qsizetype e = label.indexOf(u'e'); e > 0) {
    const QString power = powerText(label.mid(e + 1).toInt());
    const QString digits = label.first(e);
    const bool isOne = digits == QStringLiteral("1") || digits == QStringLiteral("-1");
    label = isOne ? digits.chopped(1) + power : digits + u'×' + power;
  }
  return label.replace(u'-', u'−');
}

void LogTicker::setZeros(bool zeros, double least) {
  m_zeros = zeros;
  m_least = least;
}

double LogTicker::zeroIn(const QCPRange& range) const {
  return zeroPlace({range.lower, range.upper}, m_least);
}

QVector<double> LogTicker::createTickVector(double, const QCPRange& range) {
  const FigureRange shown{range.lower, range.upper};
  const bool zeros = m_zeros && range.lower > 0.0;
  m_plain = range.lower >= kLeastPlain && range.upper < kMostPlain;
  m_zero = zeroIn(range);
  m_range = {zeros ? firstPlaceAboveZero(shown, tickCount()) : shown.low, shown.high};
  const LogTicks ticks = logTicks(m_range, tickCount());
  m_decades = ticks.decades;
  m_digits = ticks.digits;
  QVector<double> all(ticks.values.begin(), ticks.values.end());
  if (zeros) all.prepend(m_zero);
  return all;
}

QVector<double> LogTicker::createSubTickVector(int, const QVector<double>&) {
  QVector<double> ticks;
  if (m_range.low <= 0.0) return ticks;
  const int last = int(std::floor(std::log10(m_range.high)));
  for (int exponent = int(std::floor(std::log10(m_range.low))); exponent <= last;
       ++exponent)
    for (int digit = 1; digit <= (m_decades > 1 ? 1 : 9); ++digit)
      if (const double tick = digit * std::pow(10.0, exponent);
          tick >= m_range.low && tick <= m_range.high)
        ticks << tick;
  return ticks;
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  if (m_zeros && tick == m_zero) return QStringLiteral("0");
  if (m_digits > 1) return numberText(tick, m_digits);
  if (m_plain) return QString::number(tick, 'g', 4);  // below kMostPlain
  constexpr double kRounding = 1e-9;
  const int exponent = int(std::floor(std::log10(tick) + kRounding));
  const auto digit = std::lround(tick / std::pow(10.0, exponent));
  if (digit == 1) return powerText(exponent);
  return exponent == 0 || exponent == 1
             ? QString::number(tick, 'g', 3)
             : QString::number(digit) + u'×' + powerText(exponent);
}

namespace {

QCPRange shown(const FigureRange& range) {
  return {range.low, range.high};
}

/// Row names are drawn inside the axis rectangle, so the axis has no ticks or label.
void setUpRows(bool rows, QCPAxis& axis) {
  axis.setTicks(!rows);
  axis.setTickLabels(!rows);
  axis.grid()->setVisible(!rows);
  if (rows) axis.setLabel({});
}

/// Sets a tick every 25 %, unless the user's limits are much wider or narrower: a fixed
/// distance could then give millions of ticks, or 0 as the only tick.
void setUpPercents(const FigureRange& range, QCPAxis& axis) {
  constexpr double kNarrowest = 50.0, kWidest = 200.0;
  const double width = range.high - range.low;
  if (width < kNarrowest || width > kWidest) return;
  const auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
  ticker->setTickStep(25.0);
  axis.setTicker(ticker);
}

}  // namespace

void setUpAxes(const FigurePanel& panel, QCPAxisRect& rect) {
  QCPAxis& x = *rect.axis(QCPAxis::atBottom);
  QCPAxis& y = *rect.axis(QCPAxis::atLeft);
  setUpAxis(panel.x, x);
  setUpAxis(panel.y, y);
  setUpRows(panel.hasRows(), y);
  y.setRangeReversed(panel.hasRows() || panel.y.downwards);
  if (!panel.bars.empty()) setUpPercents(keyRange(panel), x);
  if (!panel.right) return;
  QCPAxis& right = *rect.axis(QCPAxis::atRight);
  setUpAxis(*panel.right, right);
  right.setVisible(true);
  right.setTicks(true);
  right.setTickLabels(true);
}

void setRanges(const FigurePanel& panel, QCPAxisRect& rect) {
  rect.axis(QCPAxis::atBottom)->setRange(shown(keyRange(panel)));
  rect.axis(QCPAxis::atLeft)->setRange(shown(valueRange(panel)));
  if (panel.right) rect.axis(QCPAxis::atRight)->setRange(shown(rightRange(panel)));
}

void markZeros(const FigurePanel& panel, QCPAxisRect& rect) {
  const QCPAxis& axis = *rect.axis(panel.hasRows() ? QCPAxis::atBottom : QCPAxis::atLeft);
  if (const auto ticker = axis.ticker().dynamicCast<LogTicker>())
    ticker->setZeros(hasZeros(panel), leastAboveZero(panel));
}

void addPoints(const std::vector<double>& x, const std::vector<double>& y,
               QCPGraph& graph) {
  const QCPAxis& axis = *graph.valueAxis();
  const double zero = zeroOn(axis);
  for (auto i = std::size_t(graph.dataCount()); i < x.size(); ++i)
    graph.addData(placeOn(*graph.keyAxis(), x[i]),
                  y[i] == 0.0 ? zero : placeOn(axis, y[i]));
}

void addBandPoints(const FigureCurve& curve, QCPGraph& lower, QCPGraph& upper) {
  std::vector<double> low = curve.lower, high = curve.upper;
  for (std::size_t i = 0; i < low.size(); ++i)
    if (!std::isfinite(low[i]) || !std::isfinite(high[i]))
      low[i] = high[i] = std::numeric_limits<double>::quiet_NaN();
  addPoints(curve.x, low, lower);
  addPoints(curve.x, high, upper);
}

void addZeros(const FigureCurve& curve, QCPGraph& graph) {
  const double zero = zeroOn(*graph.valueAxis());
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.y[i] == 0.0) graph.addData(placeOn(*graph.keyAxis(), curve.x[i]), zero);
}

double zeroOn(const QCPAxis& axis) {
  const auto ticker = axis.ticker().dynamicCast<LogTicker>();
  return ticker ? ticker->zeroIn(axis.range()) : 0.0;
}

}  // namespace equipatch
