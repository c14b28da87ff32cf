// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <limits>

#include "core/figure/figure.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Gives an axis and its grid the theme's colours and a slightly smaller font.
void styleAxis(QCPAxis& axis, const Colours& colours, const QFont& font);

/// Sets label, scale and ticker of a panel's axis; PanelPlot sets tick names. Marked
/// numbers get ticks in the colour of the axis's label.
void setUpAxis(const FigureAxis& figure, QCPAxis& axis);

/// Makes an axis logarithmic with LogTicker's ticks.
void makeLogarithmic(QCPAxis* axis);
bool isLogarithmic(const QCPAxis& axis);

/// The value to draw on a logarithmic axis. A value that is not positive or too small for
/// a panel's range is placed below the lower edge, and an infinite or too large one above
/// the upper edge, so that a line runs off the chart instead of ending.
double logValue(double value);

/// The coordinate of a panel's value on an axis: logValue(value) on a logarithmic axis,
/// otherwise the value itself. NaN stays NaN and is drawn as a gap. An infinite value on
/// a linear axis becomes NaN, because PDF and SVG cannot hold an infinite coordinate.
double placeOn(const QCPAxis& axis, double value);

/// Ticks at whole numbers only, for steps, layers and channels.
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

/// Ticks of a linear axis. Labels have − and × as the program's other texts have.
class LinearTicker final : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format,
                       int precision) override;
};

/// Ticks of a logarithmic axis (core/figure/log_ticks.h); setTickCount() sets how many
/// labels have room. Labels are plain numbers if all are short, otherwise powers of ten
/// or "2×10⁻⁴". In a short range they have more digits: "6.2×10⁻⁵". Exact zeros have a
/// tick "0" at their place.
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
  int m_decades = 0;    // between ticks; 0: other digits than 1 have ticks, too
  int m_digits = 1;     // of a tick's value, at most
  FigureRange m_range;  // of the ticks, without the place of exact zeros
};

// The screen (ChartView) and paper (PanelPlot) share the following functions,
// panel_rows.h, series_style.h and map_colours.h.

/// Sets labels, scales, tickers and direction of the axes.
void setUpAxes(const FigurePanel& panel, QCPAxisRect& rect);

/// Shows the ranges of core/figure/panel_range.h.
void setRanges(const FigurePanel& panel, QCPAxisRect& rect);

/// Adds a tick for exact zeros to the panel's logarithmic axis, or removes it. Also tells
/// the axis's ticker the panel's `leastAboveZero`, on which zeroOn() depends.
void markZeros(const FigurePanel& panel, QCPAxisRect& rect);

/// Appends the points that a graph lacks: if the graph has n points, the first n of x and
/// y are skipped without comparing them. On a logarithmic axis, exact zeros are at
/// zeroOn().
/// @param x, y all points of a curve or of marks
void addPoints(const std::vector<double>& x, const std::vector<double>& y,
               QCPGraph& graph);

/// The same for both edges of a curve's band. The band has a gap where an edge is not
/// finite.
void addBandPoints(const FigureCurve& curve, QCPGraph& lower, QCPGraph& upper);

/// Adds the exact zeros of a curve at zeroOn() to a graph that draws only them.
void addZeros(const FigureCurve& curve, QCPGraph& graph);

/// The place of exact zeros on an axis with its present range; 0 on a linear axis.
double zeroOn(const QCPAxis& axis);

}  // namespace equipatch
