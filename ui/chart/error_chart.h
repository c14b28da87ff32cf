#pragma once

#include "ui/chart/layer_chart.h"

namespace equipatch {

/// How far the patched pass's hidden state is from the contextual pass's, by layer, with
/// the noise floor: measured when the run measured it, otherwise the dtype's rounding
/// unit.
class ErrorChart final : public LayerChart {
  Q_OBJECT

 public:
  ErrorChart(const RunModel& model, Selection& selection, const Theme& theme,
             QWidget* parent = nullptr);

  const QCPGraph* error() const { return m_error; }
  const QCPGraph* noise() const { return m_noise; }
  QString floorLabel() const { return m_label->text(); }

 private:
  void showStep();
  void showFloor(const StepRecord& step);
  void fit();
  QString describe(double key) const;

  QCPGraph* m_error;
  QCPGraph* m_noise;
  QCPItemText* m_label;
};

}  // namespace equipatch
