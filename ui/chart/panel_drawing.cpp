// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/panel_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/chart/axes.h"

namespace equipatch {
namespace {

constexpr double kFarthest = 1e280;
constexpr double kFreeShare = 0.06;  // of the range, free above and below
constexpr double kLeast = 2.0;       // least factor on either side of the middle
constexpr double kHeadroom = 1.2;    // for the numbers above bars

/// Smallest and largest of the values that can be drawn.
class Extent {
 public:
  explicit Extent(bool positive) : m_positive(positive) {}

  void add(double value) {
    if (!std::isfinite(value) || std::abs(value) > kFarthest) return;
    if (m_positive && value < 1 / kFarthest) return;
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

Extent extentOf(const FigurePanel& panel) {
  Extent extent(panel.y.scale == FigureScale::Logarithmic);
  for (const FigureCurve& curve : panel.curves) {
    if (curve.onRight) continue;
    extent.add(curve.y);
    extent.add(curve.lower);
    extent.add(curve.upper);
  }
  for (const FigureMarks& marks : panel.marks) extent.add(marks.y);
  for (const FigureBox& box : panel.boxes) {
    extent.add({box.low, box.high});
    extent.add(box.outliers);
  }
  return extent;
}

QCPRange logarithmicRange(const Extent& extent) {
  if (extent.empty()) return {1e-6, 1.0};
  const double middle = std::sqrt(extent.low()) * std::sqrt(extent.high());
  const double margin = std::pow(extent.high() / extent.low(), kFreeShare);
  return {std::min(extent.low() / margin, middle / kLeast),
          std::max(extent.high() * margin, middle * kLeast)};
}

double marginOf(const Extent& extent) {
  const double span = extent.high() - extent.low();
  return span > 0 ? kFreeShare * span : std::max(std::abs(extent.low()), 1.0);
}

/// From half a place before the first to half a place after the last.
QCPRange edges(const FigurePlaces& places, int count) {
  return {places.at(-0.5), places.at(count - 0.5)};
}

}  // namespace

QCPRange valueRange(const FigurePanel& panel) {
  if (panel.map) return edges(panel.map->y, panel.map->grid.layers());
  double tallest = 0.0;
  for (const FigureBar& bar : panel.bars) tallest = std::max(tallest, bar.value);
  if (!panel.bars.empty()) return {0.0, kHeadroom * std::max(tallest, 1e-9)};
  const Extent extent = extentOf(panel);
  if (panel.y.scale == FigureScale::Logarithmic) return logarithmicRange(extent);
  if (extent.empty()) return {0.0, 1.0};
  return {extent.low() - marginOf(extent), extent.high() + marginOf(extent)};
}

QCPRange keyRange(const FigurePanel& panel) {
  if (panel.map) return edges(panel.map->x, panel.map->grid.columns());
  const bool logarithmic = panel.x.scale == FigureScale::Logarithmic;
  Extent extent(logarithmic);
  for (const FigureCurve& curve : panel.curves) extent.add(curve.x);
  for (const FigureMarks& marks : panel.marks) extent.add(marks.x);
  for (const FigureBox& box : panel.boxes) extent.add(box.x);
  for (const FigureBar& bar : panel.bars) extent.add(bar.x);
  if (logarithmic) return logarithmicRange(extent);
  if (extent.empty()) return {-0.5, 0.5};
  const bool slots = panel.x.counts || !panel.x.names.empty() || panel.curves.empty();
  const double margin = slots ? 0.5 : marginOf(extent);
  return {extent.low() - margin, extent.high() + margin};
}

void addPoints(const std::vector<double>& x, const std::vector<double>& y,
               QCPGraph& graph) {
  for (auto i = std::size_t(graph.dataCount()); i < x.size(); ++i)
    graph.addData(placeOn(*graph.keyAxis(), x[i]), placeOn(*graph.valueAxis(), y[i]));
}

}  // namespace equipatch
