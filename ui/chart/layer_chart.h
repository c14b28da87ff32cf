#pragma once

#include "ui/chart/chart_view.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// What charts over the layers of the selected step have in common: the axis, the marker
/// at the selected layer, keys and clicks that select.
class LayerChart : public ChartView {
  Q_OBJECT

 protected:
  LayerChart(const QString& title, const RunModel& model, Selection& selection,
             const Theme& theme, QWidget* parent);

  /// The selected step's record, or null.
  const StepRecord* record() const { return m_model.find(m_selection.step()); }
  const RunModel& model() const { return m_model; }
  /// The layer nearest to a key of the axis, or null.
  const LayerRecord* layerAt(double key) const;
  void setKeyRange();

 private:
  const RunModel& m_model;
  Selection& m_selection;
};

}  // namespace equipatch
