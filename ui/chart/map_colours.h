// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>
#include <vector>

#include "core/figure/figure_map.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Blue – neutral – orange around 0. The neutral colour is close to the chart's
/// background; the blue and the orange end have nearly the same lightness. NaN is
/// transparent.
QCPColorGradient divergingGradient(const Colours& colours);
/// From violet to yellow; lightness rises evenly. NaN is transparent.
QCPColorGradient sequentialGradient();

/// The colours of one map's values, and the colour scale.
class MapColours {
 public:
  explicit MapColours(const FigureMap& map);

  /// The value's place on the scale.
  double operator()(double value) const;
  /// The places of the scale's ends.
  QCPRange range() const;
  /// Ticks at places on the scale, labelled with the values there.
  QSharedPointer<QCPAxisTicker> ticker() const;
  QCPColorGradient gradient(const Colours& colours) const;

 private:
  FigureMap::Colours m_colours;
  FigureRange m_range;
  std::vector<ColourTick> m_ticks;
};

/// On the vertical axis of a colour scale, omits ticks whose labels would overlap, also
/// after the axis's length changes. The tick at place 0 has precedence, then the ticks
/// farthest from it. An axis without a QCPAxisTickerText stays unchanged.
void keepTicksApart(QCPAxis& axis);

/// Fills a map with the cells of a pooled grid. Coordinates are those of the grid before
/// pooling: its column c is centred at key c, its row r at value r. +∞ and −∞ have the
/// colours of the scale's ends.
void fillColourMap(QCPColorMap& map, const PooledGrid& pooled, const MapColours& colours);

}  // namespace equipatch
