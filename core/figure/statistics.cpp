// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/record/quantile.h"

namespace equipatch {

std::vector<double> sortedNumbers(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  std::ranges::sort(values);
  return values;
}

FigureBox boxOf(std::vector<double> values) {
  const std::vector<double> sorted = sortedNumbers(std::move(values));
  FigureBox box;
  box.low = sortedQuantile(sorted, 0.05);
  box.lowerQuartile = sortedQuantile(sorted, 0.25);
  box.median = sortedQuantile(sorted, 0.5);
  box.upperQuartile = sortedQuantile(sorted, 0.75);
  box.high = sortedQuantile(sorted, 0.95);
  box.count = static_cast<std::int64_t>(sorted.size());
  for (const double value : sorted)
    if (value < box.low || value > box.high) box.outliers.push_back(value);
  return box;
}

std::string shareText(const FigureShare& share) {
  const double percent = share.percent();
  if (percent == 100.0) return "100 %";
  int digits = percent < 99.95 ? 1 : 3;
  double half = 0.0005;
  while (percent >= 100.0 - half) {
    half /= 10.0;
    ++digits;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, percent);
  return std::string(text) + " %";
}

std::string equalText(const FigureShare& share) {
  if (share.whole == 0) return {};
  return shareText(share) + " equal" + (share.pass == "patched" ? "" : ", " + share.pass);
}

}  // namespace equipatch
