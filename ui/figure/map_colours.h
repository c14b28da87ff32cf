#pragma once

#include "core/figure/colour_range.h"
#include "ui/chart/colour_scale.h"

namespace equipatch {

/// How the values of one map become colours, and the scale that says so.
class MapColours {
 public:
  explicit MapColours(const FigureMap& map);

  /// The value's place on the scale.
  double operator()(double value) const;
  /// Places of the scale's two ends.
  QCPRange range() const;
  /// Ticks of the scale that carry the values themselves.
  QSharedPointer<QCPAxisTicker> ticker() const;
  QCPColorGradient gradient(const Colours& colours) const;

 private:
  FigureMap::Colours m_colours;
  ColourRange m_range;
  ColourTransform m_transform;
};

}  // namespace equipatch
