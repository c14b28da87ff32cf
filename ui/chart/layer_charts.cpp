// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/layer_charts.h"

#include <cmath>

#include "core/figure/layer_panels.h"
#include "core/figure/panel_sentence.h"
#include "ui/chart/meaning.h"

namespace equipatch {

LayerChart::LayerChart(const Title& title, const RunModel& model, Selection& selection,
                       const Theme& theme, QWidget* parent)
    : ChartView(title.full, theme, parent),
      m_name(title),
      m_model(model),
      m_selection(selection) {
  connect(&m_model, &RunModel::runStarted, this, [this] {
    showStep();
    if (!isLocked()) resetZoom();
  });
  connect(&m_selection, &Selection::stepChanged, this, &LayerChart::showStep);
  connect(&m_selection, &Selection::layerChanged, this, &LayerChart::setMarker);
  connect(this, &ChartView::clicked, &m_selection,
          [this](double key) { m_selection.selectLayer(int(std::lround(key))); });
  connect(this, &ChartView::rowPicked, &m_selection,
          [this](double key) { m_selection.selectLayer(int(std::lround(key))); });
  // Left and right, which select steps in charts by step, also select layers here.
  connect(this, &ChartView::keyMoved, &m_selection,
          [this](int byKey, int byValue) { m_selection.moveLayer(byKey + byValue); });
}

void LayerChart::showStep() {
  const StepRecord* step = m_model.find(m_selection.step());
  setTitle(step ? tr("%1, step %2").arg(m_name.full).arg(step->step.value) : m_name.full,
           m_name.brief);
  if (!step) return setDataVisible(false);
  setPanel(panelOf({{}, m_model.sharedHeader(), m_model.records()},
                   StepIndex(m_selection.step())));
  setSentence(QString::fromStdString(sentenceOf(panel())));
  setDataVisible(true);
  refresh();
}

NormChart::NormChart(const RunModel& model, Selection& selection, const Theme& theme,
                     QWidget* parent)
    : LayerChart({tr("Patch size by layer"), tr("Patch size")}, model, selection, theme,
                 parent),
      m_measure(new ChoiceBox(this)) {
  m_measure->addItems({tr("absolute"), tr("relative")});
  m_measure->setItemData(0, tr("abs."), ChoiceBox::kBriefRole);
  m_measure->setItemData(1, tr("rel."), ChoiceBox::kBriefRole);
  m_measure->setAccessibleName(tr("Patch size, absolute or relative"));
  m_measure->setToolTip(tr("absolute: %1\nrelative: %2")
                            .arg(meaningOf(QStringLiteral("absolute")),
                                 meaningOf(QStringLiteral("relative"))));
  m_measure->setObjectName(QStringLiteral("normMeasure"));
  addControl(m_measure);
  connect(m_measure, &QComboBox::currentIndexChanged, this, &NormChart::showStep);
}

PatchMeasure NormChart::measure() const {
  return m_measure->currentIndex() == 0 ? PatchMeasure::Absolute : PatchMeasure::Relative;
}

void NormChart::setMeasure(PatchMeasure measure) {
  m_measure->setCurrentIndex(measure == PatchMeasure::Absolute ? 0 : 1);
}

FigurePanel NormChart::panelOf(const FigureRun& run, StepIndex step) const {
  return patchNormPanel(run, {.step = step, .measure = measure()});
}

std::string NormChart::sentenceOf(const FigurePanel& panel) const {
  return patchSizeSentence(panel);
}

ErrorChart::ErrorChart(const RunModel& model, Selection& selection, const Theme& theme,
                       QWidget* parent)
    : LayerChart({tr("Hidden error by layer"), tr("Hidden error")}, model, selection,
                 theme, parent) {
  // The noise floor is the largest of all steps, so new steps may raise it.
  connect(&model, &RunModel::stepsAppended, this, [this] {
    if (isDataVisible() && this->model().header()->request.measureNoise) showStep();
  });
}

FigurePanel ErrorChart::panelOf(const FigureRun& run, StepIndex step) const {
  return layerErrorPanel({run}, {.step = step});
}

std::string ErrorChart::sentenceOf(const FigurePanel& panel) const {
  return hiddenErrorSentence(panel);
}

}  // namespace equipatch
