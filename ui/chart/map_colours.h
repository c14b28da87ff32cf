// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>
#include <vector>

#include "core/figure/figure_map.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Blue – neutral – orange around 0. The neutral colour is close to the chart's
/// background. Its difference in lightness from the blue end is nearly the same as from
/// the orange end. NaN is transparent.
QCPColorGradient divergingGradient(const Colours& colours);
/// From violet to yellow; lightness rises evenly. NaN is transparent.
QCPColorGradient sequentialGradient();

/// Colours of one map's values, and their scale.
class MapColours {
 public:
  explicit MapColours(const FigureMap& map);

  /// The value's place on the scale.
  double operator()(double value) const;
  /// Places of the scale's two ends.
  QCPRange range() const;
  /// Ticks labelled with values.
  QSharedPointer<QCPAxisTicker> ticker() const;
  QCPColorGradient gradient(const Colours& colours) const;

 private:
  FigureMap::Colours m_colours;
  FigureRange m_range;
  std::vector<ColourTick> m_ticks;
};

/// Omits ticks of a colour scale's axis whose labels would overlap. The tick at place 0
/// (value 0, or value 1 on a RisingLogarithmic scale) takes precedence, then the ticks
/// farthest from place 0. Chooses again when the axis's length changes.
void keepTicksApart(QCPAxis& axis);

/// Fills a map with the cells of a pooled grid: column c is centred at key c, layer l at
/// value l. +∞ and −∞ have the colours of the scale's ends.
void fillColourMap(QCPColorMap& map, const PooledGrid& pooled, const MapColours& colours);

}  // namespace equipatch
