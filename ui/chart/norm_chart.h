#pragma once

#include <QComboBox>
#include <QList>

#include "ui/chart/layer_chart.h"

namespace equipatch {

/// Size of the selected step's patch by layer: a series a patched matrix, and the norm
/// scale or the bias that closes a block; absolute, or relative to the matrix that is
/// patched.
class NormChart final : public LayerChart {
  Q_OBJECT

 public:
  NormChart(const RunModel& model, Selection& selection, const Theme& theme,
            QWidget* parent = nullptr);

  enum class Measure { Absolute, Relative };
  Measure measure() const;
  void setMeasure(Measure measure);

  /// The series of the run's n-th patched matrix.
  const QCPGraph* matrix(int index) const { return m_matrices.at(index); }
  int matrixCount() const { return static_cast<int>(m_matrices.size()); }
  /// ‖Δm‖; null where the blocks close without a norm.
  const QCPGraph* scale() const { return m_scale; }
  /// ‖Δb‖; null where no bias takes the block's part.
  const QCPGraph* bias() const { return m_bias; }

 private:
  void begin();
  void showStep();
  void fit();
  double value(const LayerRecord& layer, int matrix) const;
  QString describe(double key) const;

  QComboBox* m_measure;
  QList<QCPGraph*> m_matrices;
  QCPGraph* m_scale = nullptr;
  QCPGraph* m_bias = nullptr;
};

}  // namespace equipatch
