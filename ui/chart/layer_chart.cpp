#include "ui/chart/layer_chart.h"

#include <algorithm>
#include <cmath>

namespace equipatch {

LayerChart::LayerChart(const QString& title, const RunModel& model, Selection& selection,
                       const Theme& theme, QWidget* parent)
    : ChartView(title, theme, parent), m_model(model), m_selection(selection) {
  connect(&m_selection, &Selection::layerChanged, this, &LayerChart::setMarker);
  connect(this, &ChartView::clicked, &m_selection,
          [this](double key) { m_selection.selectLayer(int(std::lround(key))); });
  connect(this, &ChartView::keyMoved, &m_selection, [this](int byKey, int byValue) {
    m_selection.moveLayer(byKey);
    m_selection.moveStep(byValue);
  });
}

const LayerRecord* LayerChart::layerAt(double key) const {
  const long layer = std::lround(key);
  const StepRecord* step = record();
  const bool exists = step && layer >= 0 && layer < long(step->layers.size());
  return exists ? &step->layers[std::size_t(layer)] : nullptr;
}

void LayerChart::setKeyRange() {
  const double layers = m_model.header() ? double(m_model.header()->layers) : 1.0;
  plot().xAxis->setRange(-0.5, std::max(layers, 2.0) - 0.5);
}

}  // namespace equipatch
