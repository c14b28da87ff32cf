#include "ui/chart/logit_chart.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/record/verdict.h"
#include "ui/chart/axes.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

using Line = SeriesStyle::Line;

constexpr double kRoomForCrosses = 0.05;  // of the axis, above the largest value

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
      m_selection(selection),
      m_measure(new QComboBox(this)) {
  makeLogarithmic(plot().yAxis);
  addMeasures();
  connectAll();
  rebuild();
}

void LogitChart::addMeasures() {
  m_measure->setObjectName(QStringLiteral("logitMeasure"));
  m_measure->setAccessibleName(tr("What is compared between runs"));
  m_measure->addItems({tr("L∞"), tr("TVD")});
  addControl(m_measure);
  connect(m_measure, &QComboBox::currentIndexChanged, this, &LogitChart::rebuild);
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
  setReferencesPresent();
}

/// Among other runs one line a run: five of each could not be told apart.
void LogitChart::addRuns() {
  m_linf = addSeries(m_own.value_or(lineStyle(
      tr("on display"), [](const Colours& c) { return c.patched; }, Line::Solid)));
  for (const OverlaidRun& other : m_others) {
    QCPGraph* graph = addSeries(other.style);
    for (std::size_t i = 0; i < other.steps.size(); ++i)
      graph->addData(double(i), logValue(measured(*other.steps[i])));
    m_otherGraphs << graph;
  }
}

void LogitChart::addMismatches() {
  m_mismatches = addSeries(mismatchStyle());
  m_mismatches->setAdaptiveSampling(false);
  for (const OverlaidRun& other : m_others)
    for (std::size_t i = 0; i < other.steps.size(); ++i)
      if (!other.steps[i]->match)
        m_mismatches->addData(double(i), logValue(measured(*other.steps[i])));
}

void LogitChart::setOthers(std::vector<OverlaidRun> others,
                           const std::optional<SeriesStyle>& own) {
  m_others = std::move(others);
  m_own = own;
  rebuild();
}

/// All series anew, for a run alone or among others.
void LogitChart::rebuild() {
  removeAllSeries();
  m_otherGraphs.clear();
  m_tvd = m_bare = m_margin = m_noise = nullptr;
  compares() ? addRuns() : addAllSeries();
  addMismatches();
  const bool tvd = m_measure->currentIndex() == 1;
  setTitle(compares() ? tr("Logit difference by step and run")
                      : tr("Logit difference by step"));
  setAxisLabels(tr("step"), !compares() ? tr("L∞ in logits, TVD")
                            : tvd       ? tr("TVD in probability")
                                        : tr("L∞ in logits"));
  if (!m_model.empty()) append(0);
  m_measure->setVisible(compares() && hasData());
}

double LogitChart::measured(const StepRecord& record) const {
  const bool tvd = compares() && m_measure->currentIndex() == 1;
  return tvd ? record.patchedDistance.tvd : record.patchedDistance.linf;
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
  setHasData(false);
  rebuild();
  resetZoom();
}

void LogitChart::setReferencesPresent() {
  const RunHeader* header = m_model.header();
  setSeriesPresent(m_bare, header && header->request.bare);
  setSeriesPresent(m_noise, header && header->request.measureNoise);
}

void LogitChart::append(int first) {
  for (int i = first; i < m_model.stepCount(); ++i) {
    const StepRecord& record = m_model.step(i);
    const double value = logValue(measured(record));
    m_linf->addData(i, value);
    if (!record.match) m_mismatches->addData(i, value);
    if (!compares()) addReferences(i, record);
  }
  setHasData(true);
  m_measure->setVisible(compares());
  refresh();
}

void LogitChart::addReferences(int step, const StepRecord& record) {
  m_tvd->addData(step, logValue(record.patchedDistance.tvd));
  m_margin->addData(step, logValue(record.margin));
  if (record.bareDistance) m_bare->addData(step, logValue(record.bareDistance->linf));
  if (record.noise) m_noise->addData(step, logValue(floorOf(record).linf));
}

/// Of the run on display.
std::vector<QCPGraph*> LogitChart::lines() const {
  if (compares()) return {m_linf};
  return {m_linf, m_tvd, m_bare, m_margin, m_noise};
}

void LogitChart::fit() {
  std::vector<const QCPGraph*> graphs;
  std::ranges::copy(lines(), std::back_inserter(graphs));
  std::ranges::copy(m_otherGraphs, std::back_inserter(graphs));
  QCPRange values = logRange(graphs);
  values.upper *= std::pow(values.upper / values.lower, kRoomForCrosses);
  plot().yAxis->setRange(values);
  std::size_t steps = std::size_t(std::max(m_model.stepCount(), 2));
  for (const OverlaidRun& other : m_others) steps = std::max(steps, other.steps.size());
  plot().xAxis->setRange(-0.5, double(steps) - 0.5);
}

QString LogitChart::describe(double key) const {
  const int step = int(std::lround(key));
  if (compares()) return describeRuns(step);
  const StepRecord* record = m_model.find(step);
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

QString LogitChart::describeRuns(int step) const {
  QStringList lines{tr("step %1").arg(step)};
  const auto add = [&](const QString& run, const StepRecord* record) {
    if (record)
      lines << tr("%1: %2 %3%4")
                   .arg(run, m_measure->currentText(), numberText(measured(*record)),
                        record->match ? QString() : tr("  ✗"));
  };
  add(m_own ? m_own->name : tr("on display"), m_model.find(step));
  for (const OverlaidRun& other : m_others) {
    const bool exists = step >= 0 && step < std::ssize(other.steps);
    add(other.style.name, exists ? other.steps[std::size_t(step)].get() : nullptr);
  }
  return lines.size() > 1 ? lines.join(u'\n') : QString();
}

}  // namespace equipatch
