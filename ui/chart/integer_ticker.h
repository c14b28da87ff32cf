#pragma once

#include <algorithm>
#include <cmath>

#include "ui/qcp.h"

namespace equipatch {

/// Ticks at whole numbers only: steps, layers and channels have no halves.
class IntegerTicker final : public QCPAxisTicker {
 public:
  IntegerTicker() { setTickCount(6); }

 protected:
  double getTickStep(const QCPRange& range) override {
    return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
  }
  int getSubTickCount(double) override { return 0; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return QString::number(std::llround(tick));
  }
};

}  // namespace equipatch
