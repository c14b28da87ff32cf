#include "ui/chart/logit_chart.h"

#include <algorithm>
#include <cmath>

#include "core/record/verdict.h"
#include "ui/chart/log_axis.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

using Line = SeriesStyle::Line;

SeriesStyle lineStyle(const QString& name, QColor (*colour)(const Colours&), Line line) {
  SeriesStyle result;
  result.name = name;
  result.colour = colour;
  result.line = line;
  return result;
}

SeriesStyle mismatchStyle() {
  SeriesStyle result = lineStyle(
      QStringLiteral("mismatch"), [](const Colours& c) { return c.mismatch; },
      Line::None);
  result.shape = QCPScatterStyle::ssCross;
  result.size = 9.0;
  result.width = 2.2;
  return result;
}

}  // namespace

LogitChart::LogitChart(const RunModel& model, Selection& selection, const Theme& theme,
                       QWidget* parent)
    : ChartView(tr("Logit difference by step"), theme, parent),
      m_model(model),
      m_selection(selection) {
  setAxisLabels(tr("step"), tr("L∞ in logits, TVD in probability"));
  makeLogarithmic(plot().yAxis);
  addAllSeries();
  connectAll();
}

void LogitChart::addAllSeries() {
  m_linf = addSeries(lineStyle(
      tr("L∞"), [](const Colours& c) { return c.patched; }, Line::Solid));
  m_tvd = addSeries(lineStyle(
      tr("TVD"), [](const Colours& c) { return c.distribution; }, Line::Solid));
  m_bare = addSeries(lineStyle(
      tr("bare L∞"), [](const Colours& c) { return c.bare; }, Line::Dash));
  m_margin = addSeries(lineStyle(
      tr("margin"), [](const Colours& c) { return c.margin; }, Line::Dot));
  m_noise = addSeries(lineStyle(
      tr("noise L∞"), [](const Colours& c) { return c.noise; }, Line::Dash));
  m_mismatches = addSeries(mismatchStyle());
  m_mismatches->setAdaptiveSampling(false);
  setSeriesPresent(m_bare, false);
  setSeriesPresent(m_noise, false);
}

void LogitChart::connectAll() {
  connect(&m_model, &RunModel::begun, this, &LogitChart::begin);
  connect(&m_model, &RunModel::appended, this, &LogitChart::append);
  connect(&m_selection, &Selection::stepChanged, this, &LogitChart::setMarker);
  connect(this, &ChartView::clicked, &m_selection,
          [this](double key) { m_selection.selectStep(int(std::lround(key))); });
  connect(this, &ChartView::keyMoved, &m_selection,
          [this](int by) { m_selection.moveStep(by); });
  setDescription([this](double key, double) { return describe(key); });
  setFit([this] { fit(); });
}

void LogitChart::begin() {
  for (QCPGraph* graph : {m_linf, m_tvd, m_bare, m_margin, m_noise, m_mismatches})
    graph->data()->clear();
  setSeriesPresent(m_bare, m_model.header()->request.bare);
  setSeriesPresent(m_noise, m_model.header()->request.measureNoise);
  setHasData(false);
  resetZoom();
}

void LogitChart::append(int first) {
  for (int i = first; i < m_model.stepCount(); ++i) {
    const StepRecord& record = m_model.step(i);
    m_linf->addData(i, logValue(record.patchedDistance.linf));
    m_tvd->addData(i, logValue(record.patchedDistance.tvd));
    m_margin->addData(i, logValue(record.margin));
    if (record.bareDistance) m_bare->addData(i, logValue(record.bareDistance->linf));
    if (record.noise) m_noise->addData(i, logValue(floorOf(record).linf));
    if (!record.match) m_mismatches->addData(i, logValue(record.patchedDistance.linf));
  }
  // A single point has no line to be seen by.
  const bool lonely = m_model.stepCount() == 1;
  for (QCPGraph* graph : {m_linf, m_tvd, m_bare, m_margin, m_noise}) {
    QCPScatterStyle scatter = graph->scatterStyle();
    scatter.setShape(lonely ? QCPScatterStyle::ssDisc : QCPScatterStyle::ssNone);
    graph->setScatterStyle(scatter);
  }
  setHasData(true);
  refresh();
}

void LogitChart::fit() {
  const std::array<const QCPGraph*, 5> graphs = {m_linf, m_tvd, m_bare, m_margin,
                                                 m_noise};
  plot().yAxis->setRange(logRange(graphs));
  plot().xAxis->setRange(-0.5, std::max(m_model.stepCount(), 2) - 0.5);
}

QString LogitChart::describe(double key) const {
  const StepRecord* record = m_model.find(int(std::lround(key)));
  if (!record) return {};
  QStringList lines{tr("step %1%2")
                        .arg(record->step.value)
                        .arg(record->match ? QString() : tr("  ✗ mismatch"))};
  lines << tr("L∞ %1").arg(numberText(record->patchedDistance.linf))
        << tr("TVD %1").arg(numberText(record->patchedDistance.tvd))
        << tr("margin %1").arg(numberText(record->margin));
  if (record->bareDistance)
    lines << tr("bare L∞ %1").arg(numberText(record->bareDistance->linf));
  if (record->noise) lines << tr("noise L∞ %1").arg(numberText(record->noise->linf));
  return lines.join(u'\n');
}

}  // namespace equipatch
