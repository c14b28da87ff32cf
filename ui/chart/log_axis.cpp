#include "ui/chart/log_axis.h"

#include <algorithm>
#include <cmath>

namespace equipatch {
namespace {

constexpr double kOffTheAxis = 1e-290;
constexpr double kSmallestShown = 1e-280;
const QCPRange kNothing(1e-6, 1.0);

}  // namespace

double logValue(double value) {
  return value > 0.0 ? value : kOffTheAxis;
}

void makeLogarithmic(QCPAxis* axis) {
  const auto ticker = QSharedPointer<QCPAxisTickerLog>::create();
  ticker->setTickCount(6);
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(ticker);
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
  low /= 1.6;
  high *= 1.6;
  if (high / low < 30.0) {
    low = std::pow(10.0, std::floor(std::log10(low)));
    high = std::pow(10.0, std::ceil(std::log10(high)));
  }
  return {low, high};
}

}  // namespace equipatch
