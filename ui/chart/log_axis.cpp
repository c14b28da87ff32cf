#include "ui/chart/axes.h"

#include <algorithm>
#include <cmath>


namespace equipatch {
namespace {

constexpr double kOffTheAxis = 1e-290;
constexpr double kSmallestShown = 1e-280;
constexpr double kFreeFactor = 1.3;  // factor left free above and below
constexpr double kLeastHalf = 2.0;   // factor shown above and below the middle at least
const QCPRange kNothing(1e-6, 1.0);

}  // namespace

double logValue(double value) {
  return value > 0.0 ? value : kOffTheAxis;
}

double plottedValue(double value) {
  return value == kOffTheAxis ? 0.0 : value;
}

void makeLogarithmic(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<LogTicker>::create());
  axis->setNumberFormat(QStringLiteral("eb"));
  axis->setNumberPrecision(0);
}

QCPRange logRange(std::span<const QCPGraph* const> graphs) {
  double low = INFINITY;
  double high = 0.0;
  for (const QCPGraph* graph : graphs) {
    if (!graph->visible()) continue;
    for (const QCPGraphData& point : *graph->data()) {
      if (!(point.value > kSmallestShown) || std::isinf(point.value)) continue;
      low = std::min(low, point.value);
      high = std::max(high, point.value);
    }
  }
  if (high == 0.0) return kNothing;
  const double middle = std::sqrt(low * high);
  low = std::min(low / kFreeFactor, middle / kLeastHalf);
  high = std::max(high * kFreeFactor, middle * kLeastHalf);
  return {low, high};
}

}  // namespace equipatch
