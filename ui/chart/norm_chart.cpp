#include "ui/chart/norm_chart.h"

#include <cmath>
#include <vector>

#include "ui/chart/axes.h"
#include "ui/chart/number_text.h"

namespace equipatch {

NormChart::NormChart(const RunModel& model, Selection& selection, const Theme& theme,
                     QWidget* parent)
    : LayerChart(tr("Patch size by layer"), model, selection, theme, parent),
      m_measure(new QComboBox(this)) {
  m_measure->addItems({tr("absolute"), tr("relative")});
  m_measure->setAccessibleName(tr("Patch size, absolute or relative"));
  m_measure->setToolTip(tr("‖ΔW‖, or ‖ΔW‖ divided by ‖W‖"));
  m_measure->setObjectName(QStringLiteral("normMeasure"));
  addControl(m_measure);
  makeLogarithmic(plot().yAxis);
  connect(m_measure, &QComboBox::currentIndexChanged, this, &NormChart::showStep);
  connect(&model, &RunModel::begun, this, &NormChart::begin);
  connect(&selection, &Selection::stepChanged, this, &NormChart::showStep);
  setDescription([this](double key, double) { return describe(key); });
  setFit([this] { fit(); });
}

NormChart::Measure NormChart::measure() const {
  return m_measure->currentIndex() == 0 ? Measure::Absolute : Measure::Relative;
}

void NormChart::setMeasure(Measure measure) {
  m_measure->setCurrentIndex(measure == Measure::Absolute ? 0 : 1);
}

void NormChart::begin() {
  removeAllSeries();
  m_matrices.clear();
  m_scale = m_bias = nullptr;
  const RunHeader& header = *model().header();
  int index = 0;
  for (const std::string& matrix : header.patchedMatrices)
    m_matrices << addSeries(numberedStyle(tr("ΔW %1").arg(matrixLabel(matrix)), index++));
  if (header.closesWithScale) m_scale = addSeries(numberedStyle(tr("Δm scale"), index++));
  if (header.closesWithBias) m_bias = addSeries(numberedStyle(tr("Δb bias"), index));
  setHasData(false);
  showStep();
}

double NormChart::value(const LayerRecord& layer, int matrix) const {
  const MatrixPatchNorm* norm =
      layer.find(model().header()->patchedMatrices[std::size_t(matrix)]);
  if (!norm) return NAN;
  return measure() == Measure::Absolute ? norm->norm : norm->relative;
}

void NormChart::showStep() {
  const bool absolute = measure() == Measure::Absolute;
  setAxisLabels(tr("layer"), absolute ? tr("‖ΔW‖, Frobenius") : tr("‖ΔW‖ / ‖W‖"));
  // Their own sizes are not part of a record, so they have no relative measure.
  if (m_scale) setSeriesPresent(m_scale, absolute);
  if (m_bias) setSeriesPresent(m_bias, absolute);
  const StepRecord* step = record();
  setTitle(step ? tr("Patch size by layer, step %1").arg(step->step.value)
                : tr("Patch size by layer"),
           tr("Patch size by layer"));
  if (!step) return;
  for (QCPGraph* graph : m_matrices) graph->data()->clear();
  if (m_scale) m_scale->data()->clear();
  if (m_bias) m_bias->data()->clear();
  for (std::size_t layer = 0; layer < step->layers.size(); ++layer) {
    const LayerRecord& norms = step->layers[layer];
    for (int i = 0; i < matrixCount(); ++i) {
      const double norm = value(norms, i);  // NaN, a gap, where there is no such matrix
      m_matrices[i]->addData(double(layer), std::isnan(norm) ? norm : logValue(norm));
    }
    if (m_scale) m_scale->addData(double(layer), logValue(norms.scaleNorm));
    if (m_bias) m_bias->addData(double(layer), logValue(norms.biasNorm));
  }
  setHasData(true);
  refresh();
}

void NormChart::fit() {
  std::vector<const QCPGraph*> graphs(m_matrices.begin(), m_matrices.end());
  if (m_scale) graphs.push_back(m_scale);
  if (m_bias) graphs.push_back(m_bias);
  plot().yAxis->setRange(logRange(graphs));
  setKeyRange();
}

QString NormChart::describe(double key) const {
  const LayerRecord* layer = layerAt(key);
  if (!layer) return {};
  QStringList lines{tr("layer %1").arg(std::lround(key))};
  for (int i = 0; i < matrixCount(); ++i)
    lines << m_matrices[i]->name() + u' ' + numberText(value(*layer, i));
  if (m_scale) lines << tr("Δm %1").arg(numberText(layer->scaleNorm));
  if (m_bias) lines << tr("Δb %1").arg(numberText(layer->biasNorm));
  return lines.join(u'\n');
}

}  // namespace equipatch
