// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/panel_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace equipatch {
namespace {

// Values farther from 0 are left out, so that an axis with its margins is finite.
constexpr double kFarthest = 1e200;
// A logarithmic axis leaves out values outside these bounds. Its ends, with margins, are
// then between 1e-240 and 1e60 (ui/chart/axes.cpp relies on this), and their ratio does
// not overflow. The lower bound is farther from 1, because tiny differences are common.
constexpr double kSmallest = 1e-200, kLargest = 1e40;
// The minimum ratio between each end of a logarithmic range and its geometric middle.
constexpr double kLeast = 2.0;
// Fractions of a range; on a logarithmic axis, of the range of the logarithms.
constexpr double kFreeShare = 0.06;   // margin above and below
constexpr double kZeroRoom = 0.08;    // additional room below, if there are exact zeros
constexpr double kZeroShare = 0.04;   // from the lower end to the exact zeros
constexpr double kClearShare = 0.09;  // from the lower end to the first label above 0

/// The smallest and the largest of the added values that an axis of this scale can show.
class Extent {
 public:
  explicit Extent(FigureScale scale) : m_positive(scale == FigureScale::Logarithmic) {}

  void add(double value) {
    if (!std::isfinite(value) || std::abs(value) > kFarthest) return;
    if (m_positive && (value < kSmallest || value > kLargest)) return;
    m_low = std::min(m_low, value);
    m_high = std::max(m_high, value);
  }
  void add(const std::vector<double>& values) {
    for (const double value : values) add(value);
  }
  bool empty() const { return m_low > m_high; }
  double low() const { return m_low; }
  double high() const { return m_high; }

 private:
  bool m_positive;
  double m_low = std::numeric_limits<double>::infinity();
  double m_high = -std::numeric_limits<double>::infinity();
};

/// The value at a share of a logarithmic range: 0 gives the lower end, 1 the upper end.
/// Avoids the ratio of the ends, which may overflow in a caller's range.
double placeAt(const FigureRange& range, double share) {
  return std::pow(range.low, 1.0 - share) * std::pow(range.high, share);
}

FigureRange logarithmicRange(const Extent& extent, bool zeros) {
  FigureRange range{1e-6, 1.0};
  if (!extent.empty()) {
    const double middle = std::sqrt(extent.low()) * std::sqrt(extent.high());
    const FigureRange values{extent.low(), extent.high()};
    range = {std::min(placeAt(values, -kFreeShare), middle / kLeast),
             std::max(placeAt(values, 1.0 + kFreeShare), middle * kLeast)};
  }
  if (zeros) range.low = placeAt(range, -kZeroRoom);
  return range;
}

double marginOf(const Extent& extent) {
  const double span = extent.high() - extent.low();
  return span > 0 ? kFreeShare * span : std::max(std::abs(extent.low()), 1.0);
}

FigureRange rangeOf(const Extent& extent, const FigureAxis& axis, bool zeros) {
  if (axis.limits) return *axis.limits;
  if (axis.scale == FigureScale::Logarithmic) return logarithmicRange(extent, zeros);
  if (extent.empty()) return {0.0, 1.0};
  return {extent.low() - marginOf(extent), extent.high() + marginOf(extent)};
}

FigureRange edges(const FigurePlaces& places, int count) {
  return {places.at(-0.5), places.at(count - 0.5)};
}

Extent heightsOf(const FigurePanel& panel, bool right) {
  Extent extent(right ? panel.right->scale : panel.y.scale);
  for (const FigureCurve& curve : panel.curves) {
    if (curve.onRight != right) continue;
    extent.add(curve.y);
    extent.add(curve.lower);
    extent.add(curve.upper);
  }
  if (right) return extent;
  for (const FigureMarks& marks : panel.marks) extent.add(marks.y);
  return extent;
}

/// Adds every quantile, not only the outermost: on a logarithmic axis, `Extent` skips
/// quantiles that are 0.
void addBox(const FigureBox& box, Extent& extent) {
  extent.add({box.low, box.lowerQuartile, box.median, box.upperQuartile, box.high});
  extent.add(box.outliers);
}

/// The extent of boxes and bars along x.
Extent rowsOf(const FigurePanel& panel) {
  Extent extent(panel.x.scale);
  for (const FigureBox& box : panel.boxes) addBox(box, extent);
  for (const FigureBar& bar : panel.bars) extent.add({0.0, bar.share.percent()});
  return extent;
}

bool hasZero(const std::vector<double>& values) {
  return std::ranges::find(values, 0.0) != values.end();
}

}  // namespace

FigureRange keyRange(const FigurePanel& panel) {
  if (panel.hasRows()) return rangeOf(rowsOf(panel), panel.x, hasZeros(panel));
  if (panel.x.limits) return *panel.x.limits;
  if (panel.map) return edges(panel.map->x, panel.map->grid.columns());
  Extent extent(panel.x.scale);
  for (const FigureCurve& curve : panel.curves) extent.add(curve.x);
  for (const FigureMarks& marks : panel.marks) extent.add(marks.x);
  if (panel.x.scale == FigureScale::Logarithmic) return logarithmicRange(extent, false);
  if (extent.empty()) return {-0.5, 0.5};
  const bool slots = panel.x.counts || !panel.x.names.empty() || panel.curves.empty();
  const double margin = slots ? 0.5 : marginOf(extent);
  return {extent.low() - margin, extent.high() + margin};
}

FigureRange valueRange(const FigurePanel& panel) {
  if (panel.hasRows()) return {-0.5, static_cast<double>(panel.rows()) - 0.5};
  if (panel.y.limits) return *panel.y.limits;
  if (panel.map) return edges(panel.map->y, panel.map->grid.rows());
  return rangeOf(heightsOf(panel, false), panel.y, hasZeros(panel));
}

FigureRange rightRange(const FigurePanel& panel) {
  if (!panel.right) return {};
  return rangeOf(heightsOf(panel, true), *panel.right, false);
}

bool hasZeros(const FigurePanel& panel, const FigureCurve& curve) {
  const FigureAxis& axis = curve.onRight && panel.right ? *panel.right : panel.y;
  return axis.scale == FigureScale::Logarithmic && hasZero(curve.y);
}

bool hasZeros(const FigurePanel& panel) {
  if (panel.hasRows())
    return panel.x.scale == FigureScale::Logarithmic &&
           std::ranges::any_of(
               panel.boxes, [](const FigureBox& box) { return box.smallest() == 0.0; });
  return panel.y.scale == FigureScale::Logarithmic &&
         std::ranges::any_of(panel.curves, [](const FigureCurve& curve) {
           return !curve.onRight && (hasZero(curve.y) || hasZero(curve.lower));
         });
}

bool explainsZeros(const FigurePanel& panel) {
  return !panel.hasRows() &&
         std::ranges::any_of(panel.curves, [&](const FigureCurve& curve) {
           return hasZeros(panel, curve);
         });
}

double leastAboveZero(const FigurePanel& panel) {
  return (panel.hasRows() ? rowsOf(panel) : heightsOf(panel, false)).low();
}

std::optional<FigureRange> drawnValues(const FigureBox& box, FigureScale scale) {
  Extent extent(scale);
  addBox(box, extent);
  if (extent.empty()) return std::nullopt;
  return FigureRange{extent.low(), extent.high()};
}

bool isSquareMap(const FigurePanel& panel) {
  constexpr double kNear = 1e-6;
  if (!panel.map || panel.under || panel.map->grid.rows() < 2) return false;
  const FigureRange x = keyRange(panel), y = valueRange(panel);
  const double size = x.high - x.low;
  return std::abs(x.low - y.low) <= kNear * size &&
         std::abs(x.high - y.high) <= kNear * size;
}

double zeroPlace(const FigureRange& range, double least) {
  const double place = placeAt(range, kZeroShare);
  return place < least ? place : range.low;
}

double firstPlaceAboveZero(const FigureRange& range, double labels) {
  constexpr double kOfLabel = 0.75;  // of a label: half of it and half of the narrow "0"
  const double clear =
      std::max(kClearShare, kZeroShare + kOfLabel / std::max(1.0, labels));
  return placeAt(range, std::min(clear, 1.0));
}

bool hasValues(const FigurePanel& panel) {
  if (panel.map) return !panel.map->grid.empty();
  return !panel.pictures.empty() || panel.hasRows() ||
         std::ranges::any_of(panel.curves, [](const FigureCurve& curve) {
           return std::ranges::any_of(curve.y, [](double y) { return std::isfinite(y); });
         });
}

}  // namespace equipatch
