// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/logit_chart.h"

#include <algorithm>
#include <cmath>

#include "core/figure/panel_sentence.h"
#include "ui/chart/meaning.h"

namespace equipatch {

LogitChart::LogitChart(const RunModel& model, Selection& selection, const Theme& theme,
                       QWidget* parent)
    : ChartView(tr("Logit difference by step"), theme, parent),
      m_model(model),
      m_selection(selection),
      m_measure(new ChoiceBox(this)),
      m_grouping(new ChoiceBox(this)) {
  addMeasures();
  addGroupings();
  connectAll();
  rebuild();
}

void LogitChart::addMeasures() {
  m_measure->setObjectName(QStringLiteral("logitMeasure"));
  m_measure->setAccessibleName(tr("What is compared between runs"));
  for (int i = 0; i < kStepMeasures; ++i)
    m_measure->addItem(QString::fromUtf8(nameOf(StepMeasure(i))));
  for (int i = 0; i < m_measure->count(); ++i)
    m_measure->setItemData(i, meaningOf(m_measure->itemText(i)), Qt::ToolTipRole);
  m_measure->setToolTip(tr("The quantity by which the ticked runs are compared"));
  addControl(m_measure);
  connect(m_measure, &QComboBox::currentIndexChanged, this, &LogitChart::rebuild);
}

void LogitChart::addGroupings() {
  m_grouping->setObjectName(QStringLiteral("logitGrouping"));
  m_grouping->setAccessibleName(tr("Curves of runs or of groups of runs"));
  m_grouping->addItem(tr("each run"), int(RunGrouping::Each));
  m_grouping->addItem(tr("by settings"), int(RunGrouping::Settings));
  m_grouping->addItem(tr("all ticked"), int(RunGrouping::All));
  for (const auto& [row, brief] :
       {std::pair(0, tr("each")), {1, tr("settings")}, {2, tr("all")}})
    m_grouping->setItemData(row, brief, ChoiceBox::kBriefRole);
  m_grouping->setToolTip(tr(
      "A curve for each ticked run; or the median and a band from the 10th to the 90th "
      "percentile, of the ticked runs with equal settings or of all ticked runs"));
  addControl(m_grouping);
  connect(m_grouping, &QComboBox::currentIndexChanged, this, &LogitChart::rebuild);
}

RunGrouping LogitChart::grouping() const {
  return RunGrouping(m_grouping->currentData().toInt());
}

void LogitChart::connectAll() {
  connect(&m_model, &RunModel::runStarted, this, &LogitChart::begin);
  connect(&m_model, &RunModel::stepsAppended, this, &LogitChart::append);
  connect(&m_selection, &Selection::stepChanged, this, &LogitChart::stepChanged);
  connect(this, &ChartView::clicked, this, &LogitChart::selectPlace);
  connect(this, &ChartView::rowPicked, this, &LogitChart::selectPlace);
  connect(this, &ChartView::keyMoved, &m_selection, [this](int byKey, int byValue) {
    if (byKey != 0) m_selection.moveStep(byKey);
    if (byValue != 0) m_selection.moveLayer(byValue);
  });
}

/// While runs are compared, ignores a place where the run on display has no step.
void LogitChart::selectPlace(double place) {
  const int step = int(std::lround(place)) - firstPlace();
  if (compares() && !m_model.find(step)) return;
  m_selection.selectStep(step);
}

void LogitChart::mark(int step) {
  setMarker(step < 0 ? step : step + firstPlace());
}

StepMeasure LogitChart::measure() const {
  return StepMeasure(m_measure->currentIndex());
}

void LogitChart::setOthers(std::vector<FigureRun> others,
                           const std::optional<FigureRun>& own) {
  m_others = std::move(others);
  m_own = own.value_or(FigureRun{.name = tr("on display").toStdString()});
  rebuild();
}

void LogitChart::begin() {
  setDataVisible(false);
  rebuild();
  if (!isLocked()) resetZoom();
}

FigurePanel LogitChart::wholePanel() const {
  if (compares() && m_model.header()) {
    std::vector<FigureRun> runs = m_others;
    FigureRun own = m_own;
    own.header = m_model.sharedHeader();
    own.steps = m_model.records();
    runs.insert(runs.begin(), std::move(own));
    return isGrouped() ? spreadPanel(runs, grouping(), measure())
                       : overlayPanel(runs, measure());
  }
  FigurePanel panel = logitPanel(m_model.header() ? *m_model.header() : RunHeader());
  for (const RunModel::Record& step : m_model.records()) addStep(*step, panel);
  return panel;
}

void LogitChart::rebuild() {
  setPanel(wholePanel());
  m_drawn = m_model.stepCount();
  stepChanged(m_selection.step());
  setTitle(isGrouped()  ? tr("Logit difference by step, median and 10 to 90 % of runs")
           : compares() ? tr("Logit difference by step and run")
                        : tr("Logit difference by step"),
           tr("Logits"));
  if (!m_model.empty()) setDataVisible(true);
  for (QComboBox* box : {m_measure, m_grouping})
    box->setVisible(compares() && isDataVisible());
  refresh();
}

/// True if runs are compared by a quantity that none of their steps has.
bool LogitChart::isMeasureAbsent() const {
  const auto hasNoPoint = [](const FigureCurve& curve) {
    return curve.besideRuns || curve.x.empty();
  };
  return compares() && !m_model.empty() &&
         std::ranges::all_of(panel().curves, hasNoPoint);
}

void LogitChart::stepChanged(int step) {
  mark(step);
  if (isMeasureAbsent())
    return setSentence(
        tr("None of these runs has %1. %2")
            .arg(m_measure->currentText(), meaningOf(m_measure->currentText())));
  const StepRecord* record = m_model.find(step);
  if (!record) return setSentence({});
  QString place = tr("Step %1").arg(step);
  if (firstPlace() != 0)
    place = tr("%1 (%2 on the axis)").arg(place).arg(step + firstPlace());
  QString sentence =
      tr("%1. %2").arg(place, QString::fromStdString(logitSentence(*record)));
  // The run's name comes last: before the numbers, a long name would leave them no room.
  if (compares() && !isGrouped())
    sentence += tr(" (%1)").arg(QString::fromStdString(m_own.name));
  setSentence(sentence);
}

void LogitChart::append() {
  if (isGrouped()) return rebuild();  // a step may change the medians
  appendPoints([this](FigurePanel& panel) {
    for (; m_drawn < m_model.stepCount(); ++m_drawn)
      compares() ? addStep(m_model.step(m_drawn), measure(), panel, firstPlace())
                 : addStep(m_model.step(m_drawn), panel);
  });
  setDataVisible(true);
  for (QComboBox* box : {m_measure, m_grouping}) box->setVisible(compares());
  refresh();
}

}  // namespace equipatch
