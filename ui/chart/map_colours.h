#pragma once

#include <QSharedPointer>

#include "core/figure/colour_range.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// How values become places on a colour scale: as they are, or symmetric-logarithmic,
/// sign(v) log₁₀(1 + |v| / c) with c a thousandth of the largest size, so that small
/// values of both signs stay visible beside large ones.
class ColourTransform {
 public:
  enum class Kind { Linear, SymmetricLog };

  ColourTransform() = default;
  ColourTransform(Kind kind, double largest);

  double operator()(double value) const;
  /// Where the largest value lies.
  double end() const { return (*this)(m_largest); }
  /// Ticks of the scale that carry the values themselves, for signed or unsigned data.
  enum class Signs { Both, Positive };
  QSharedPointer<QCPAxisTicker> ticker(Signs signs) const;

 private:
  Kind m_kind = Kind::Linear;
  double m_largest = 1.0;
};

/// Blue – neutral – orange around 0; the neutral is the chart's own background, and
/// lightness grows or falls evenly on both sides. Missing values are transparent.
QCPColorGradient divergingGradient(const Colours& colours);
/// Even in lightness, from violet to yellow.
QCPColorGradient sequentialGradient();

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

/// Puts a pooled grid's cells into a map, columns along the key axis with column c
/// centred at c, layers along the value axis.
void fillColourMap(QCPColorMap& map, const PooledGrid& pooled, const MapColours& colours);

}  // namespace equipatch
