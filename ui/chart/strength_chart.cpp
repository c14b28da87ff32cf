#include "ui/chart/strength_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/chart/axes.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

using Line = SeriesStyle::Line;
using Shape = QCPScatterStyle::ScatterShape;

SeriesStyle seriesOf(const QString& name, QColor (*colour)(const Colours&), Shape shape,
                     Line line = Line::Solid) {
  SeriesStyle result;
  result.name = name;
  result.colour = colour;
  result.shape = shape;
  result.line = line;
  return result;
}

}  // namespace

StrengthChart::StrengthChart(const Theme& theme, QWidget* parent)
    : ChartView(tr("What α times the patch does"), theme, parent),
      m_chosen(new QCPItemStraightLine(&plot())) {
  setAxisLabels(tr("α"), tr("L∞, TVD"));
  makeLogarithmic(plot().yAxis);
  plot().xAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
  plot().yAxis2->setTicks(true);
  plot().yAxis2->setTickLabels(true);
  plot().yAxis2->setLabel(tr("probability"));
  plot().yAxis2->setRange(0.0, 1.05);
  addAllSeries();
  connect(this, &ChartView::clicked, this, [this](double alpha) {
    Q_EMIT alphaPicked(std::clamp(alpha, 0.0, kMostAlpha));
  });
  const auto restyleLine = [this] {
    m_chosen->setPen(QPen(this->theme().colours().accent, 1.2, Qt::DotLine));
  };
  connect(this, &ChartView::restyled, this, restyleLine);
  restyleLine();
  setDescription([this](double alpha, double) { return describe(alpha); });
  setFit([this] { fit(); });
}

void StrengthChart::addAllSeries() {
  m_linf = addSeries(seriesOf(
      tr("L∞"), [](const Colours& c) { return c.patched; }, Shape::ssDisc));
  m_tvd = addSeries(seriesOf(
      tr("TVD"), [](const Colours& c) { return c.distribution; }, Shape::ssSquare));
  m_probability = addSeries(seriesOf(
      tr("probability"), [](const Colours& c) { return c.bare; }, Shape::ssTriangle,
      Line::Dash));
  m_probability->setValueAxis(plot().yAxis2);
  SeriesStyle mismatch = seriesOf(
      tr("other token"), [](const Colours& c) { return c.mismatch; }, Shape::ssCross,
      Line::None);
  mismatch.size = 9.0;
  mismatch.width = 2.2;
  m_mismatches = addSeries(mismatch);
}

void StrengthChart::show(const std::vector<StrengthReading>& readings) {
  m_readings = readings;
  for (QCPGraph* graph : {m_linf, m_tvd, m_probability, m_mismatches})
    graph->data()->clear();
  for (const StrengthReading& reading : readings) {
    const double alpha = reading.strength.alpha;
    m_linf->addData(alpha, logValue(reading.distance.linf));
    m_tvd->addData(alpha, logValue(reading.distance.tvd));
    m_probability->addData(alpha, reading.probability);
    if (!reading.match) m_mismatches->addData(alpha, logValue(reading.distance.linf));
  }
  setHasData(!readings.empty());
  refresh();
}

void StrengthChart::setAlpha(double alpha) {
  m_chosen->point1->setCoords(alpha, 1.0);
  m_chosen->point2->setCoords(alpha, 2.0);
  plot().replot(QCustomPlot::rpQueuedReplot);
}

void StrengthChart::fit() {
  const std::array<const QCPGraph*, 2> graphs = {m_linf, m_tvd};
  plot().yAxis->setRange(logRange(graphs));
  plot().xAxis->setRange(-0.05, kMostAlpha + 0.05);
}

QString StrengthChart::describe(double alpha) const {
  if (m_readings.empty()) return {};
  const auto nearest = std::min_element(
      m_readings.begin(), m_readings.end(),
      [alpha](const StrengthReading& a, const StrengthReading& b) {
        return std::abs(a.strength.alpha - alpha) < std::abs(b.strength.alpha - alpha);
      });
  return tr("α %1%2\nL∞ %3\nTVD %4\nprobability %5")
      .arg(numberText(nearest->strength.alpha),
           nearest->match ? QString() : tr("  ✗ another token"),
           numberText(nearest->distance.linf), numberText(nearest->distance.tvd),
           percentText(nearest->probability));
}

}  // namespace equipatch
