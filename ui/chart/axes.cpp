// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/axes.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/figure/panel_range.h"

namespace equipatch {
namespace {

constexpr double kOffTheAxis = 1e-290;
constexpr double kShortest = 1e-3;
constexpr double kLongestPlain = 1e4;

QVector<double> digitTicks(const QCPRange& range, std::initializer_list<int> digits) {
  QVector<double> ticks;
  const int first = int(std::floor(std::log10(range.lower)));
  const int last = int(std::ceil(std::log10(range.upper)));
  for (int exponent = first; exponent <= last; ++exponent)
    for (const int digit : digits) ticks.append(digit * std::pow(10.0, exponent));
  return ticks;
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
}

void setUpAxis(const FigureAxis& figure, QCPAxis& axis) {
  axis.setLabel(QString::fromStdString(figure.label));
  if (figure.scale == FigureScale::Logarithmic) return makeLogarithmic(&axis);
  axis.setScaleType(QCPAxis::stLinear);
  if (figure.counts)
    axis.setTicker(QSharedPointer<IntegerTicker>::create());
  else
    axis.setTicker(QSharedPointer<QCPAxisTicker>::create());
}

void makeLogarithmic(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<LogTicker>::create());
  axis->setNumberFormat(QStringLiteral("eb"));
  axis->setNumberPrecision(0);
}

void markZeros(QCPAxis& axis, bool zeros) {
  if (const auto ticker = axis.ticker().dynamicCast<LogTicker>()) ticker->setZeros(zeros);
}

double logValue(double value) {
  return value > 0.0 ? value : kOffTheAxis;
}

double placeOn(const QCPAxis& axis, double value) {
  const bool logarithmic = axis.scaleType() == QCPAxis::stLogarithmic;
  return logarithmic && !std::isnan(value) ? logValue(value) : value;
}

double IntegerTicker::getTickStep(const QCPRange& range) {
  return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
}

QString IntegerTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return QString::number(std::llround(tick));
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range) {
  QVector<double> ticks = positiveTicks(tickStep, range);
  if (!m_zeros || range.lower <= 0.0) return ticks;
  const FigureRange shown{range.lower, range.upper};
  m_zero = zeroPlace(shown);
  const double nearest = firstPlaceAboveZero(shown);
  ticks.removeIf([nearest](double tick) { return tick < nearest; });
  ticks.prepend(m_zero);
  return ticks;
}

QVector<double> LogTicker::createSubTickVector(int count, const QVector<double>& ticks) {
  return QCPAxisTickerLog::createSubTickVector(count, m_zeros ? ticks.mid(1) : ticks);
}

QVector<double> LogTicker::positiveTicks(double tickStep, const QCPRange& range) {
  const bool positive = range.lower > 0.0 && range.upper > range.lower;
  m_plain = positive && range.lower >= kShortest && range.upper < kLongestPlain;
  m_wide = !positive || range.upper / range.lower >= 100.0;
  if (m_wide) return QCPAxisTickerLog::createTickVector(tickStep, range);
  if (range.upper / range.lower >= 10.0) return digitTicks(range, {1, 2, 5});
  return digitTicks(range, {1, 2, 3, 4, 5, 6, 7, 8, 9});
}

int LogTicker::getSubTickCount(double tickStep) {
  return m_wide ? QCPAxisTickerLog::getSubTickCount(tickStep) : 0;
}

QString LogTicker::getTickLabel(double tick, const QLocale& locale, QChar format,
                                int precision) {
  if (m_zeros && tick == m_zero) return QStringLiteral("0");
  if (m_plain) return QString::number(tick, 'g', 3);
  return QCPAxisTickerLog::getTickLabel(tick, locale, format, precision);
}

}  // namespace equipatch
