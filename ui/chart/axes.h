// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <limits>

#include "core/figure/figure.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Sets colours, and label fonts slightly smaller than `font`.
void styleAxis(QCPAxis& axis, const Colours& colours, const QFont& font);

/// Sets label, scale and ticker, but not the names of ticks.
void setUpAxis(const FigureAxis& figure, QCPAxis& axis);

/// Also replaces the ticker by a new LogTicker.
void makeLogarithmic(QCPAxis* axis);
bool isLogarithmic(const QCPAxis& axis);

/// Clamps a value for a logarithmic axis, so that a line runs off the chart instead of
/// ending. Values ≤ 0 and NaN are placed below the lower edge, infinity above the upper
/// edge.
double logValue(double value);

/// The coordinate of a value: logValue(value) on a logarithmic axis, otherwise the value
/// itself. NaN stays NaN and is drawn as a gap. An infinite value on a linear axis
/// becomes NaN, because PDF and SVG cannot hold an infinite coordinate.
double placeOn(const QCPAxis& axis, double value);

/// Ticks at whole numbers only.
class IntegerTicker final : public QCPAxisTicker {
 public:
  /// @param marked numbers with a thick tick, labelled or not
  explicit IntegerTicker(QVector<double> marked = {}) : m_marked(std::move(marked)) {
    setTickCount(6);
  }
  bool hasMarks() const { return !m_marked.isEmpty(); }

 protected:
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double) override { return 0; }
  QVector<double> createSubTickVector(int, const QVector<double>&) override {
    return m_marked;
  }
  QString getTickLabel(double tick, const QLocale& locale, QChar format,
                       int precision) override;

 private:
  const QVector<double> m_marked;
};

/// Ticks of a linear axis, with labels such as "−1" and "2×10⁻⁵". (QCustomPlot would
/// write a hyphen for the minus sign.)
class LinearTicker final : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format,
                       int precision) override;
};

/// Ticks of a logarithmic axis (core/figure/log_ticks.h), with labels such as "300" or
/// "2×10⁻⁴", and "0" for exact zeros. setTickCount() sets how many labels have room.
class LogTicker final : public QCPAxisTicker {
 public:
  static constexpr int kMostLabels = 12;

  LogTicker() { setTickCount(kMostLabels); }

  /// @param zeros whether there is a tick for exact zeros
  /// @param least the panel's `leastAboveZero`
  void setZeros(bool zeros, double least);
  /// The place of exact zeros on an axis that shows this range.
  double zeroIn(const QCPRange& range) const;

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format,
                       int precision) override;

 private:
  bool m_zeros = false;
  double m_least = std::numeric_limits<double>::infinity();  // of the values above 0
  double m_zero = 0.0;                                       // the place of exact zeros
  bool m_plain = false;
  int m_decades = 0;    // between ticks; 0: not all ticks are powers of ten
  int m_digits = 1;     // the most significant digits that a tick's value has
  FigureRange m_range;  // of the ticks, without the place of exact zeros
};

/// Sets labels, scales, tickers and direction of the axes.
void setUpAxes(const FigurePanel& panel, QCPAxisRect& rect);

/// Shows the ranges of core/figure/panel_range.h.
void setRanges(const FigurePanel& panel, QCPAxisRect& rect);

/// Adds or removes the tick for exact zeros on the panel's logarithmic axis. Call it
/// before zeroOn(), whose result depends on the panel's `leastAboveZero`.
void markZeros(const FigurePanel& panel, QCPAxisRect& rect);

/// Appends the points from index graph.dataCount() on, without comparing earlier ones.
/// Exact zeros are drawn at zeroOn().
/// @param x, y all points, also those that the graph has
void addPoints(const std::vector<double>& x, const std::vector<double>& y,
               QCPGraph& graph);

/// addPoints() for the edges of a curve's band, with a gap where an edge is not finite.
void addBandPoints(const FigureCurve& curve, QCPGraph& lower, QCPGraph& upper);

/// Adds all exact zeros of a curve, at zeroOn(), to a graph for zeros alone.
void addZeros(const FigureCurve& curve, QCPGraph& graph);

/// The place of exact zeros in the axis's present range; 0 on a linear axis.
double zeroOn(const QCPAxis& axis);

}  // namespace equipatch
