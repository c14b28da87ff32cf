// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>
#include <vector>

#include "core/figure/figure_map.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Blue – neutral – orange around 0. The neutral colour is close to the chart's
/// background, and both ends differ from it in lightness by nearly as much. NaN is
/// transparent.
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

/// Leaves out labelled ticks of a colour scale's axis that would overlap others: place 0
/// takes precedence (value 0; value 1 on a RisingLogarithmic scale), then the ticks
/// farthest from it. Follows the axis when its length changes.
void keepTicksApart(QCPAxis& axis);

/// Fills a map with the cells of a pooled grid: column c is centred at key c, layer l at
/// value l. ∞ has the colour of the scale's end.
void fillColourMap(QCPColorMap& map, const PooledGrid& pooled, const MapColours& colours);

}  // namespace equipatch
