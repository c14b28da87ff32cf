// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/strength_chart.h"

#include <algorithm>

namespace equipatch {

StrengthChart::StrengthChart(const Theme& theme, QWidget* parent)
    : ChartView(tr("What α times the patch does"), theme, parent),
      m_chosen(new QCPItemStraightLine(&plot())) {
  setPanel(strengthPanel({}));
  connect(this, &ChartView::clicked, this, [this](double alpha) {
    Q_EMIT alphaPicked(std::clamp(alpha, 0.0, kMostAlpha));
  });
  const auto restyleLine = [this] {
    m_chosen->setPen(QPen(this->theme().colours().accent, 1.2, Qt::DotLine));
  };
  connect(this, &ChartView::restyled, this, restyleLine);
  restyleLine();
}

void StrengthChart::show(const std::vector<StrengthReading>& readings) {
  setPanel(strengthPanel(readings));
  setDataVisible(!readings.empty());
  refresh();
}

void StrengthChart::setAlpha(double alpha) {
  m_chosen->point1->setCoords(alpha, 1.0);
  m_chosen->point2->setCoords(alpha, 2.0);
  plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace equipatch
