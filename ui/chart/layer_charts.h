// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <string>

#include "core/figure/run_figures.h"
#include "ui/chart/chart_view.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// A chart of the selected step, with the layers along x and a marker at the selected
/// layer. Clicks, arrow keys and rows of the table select a layer.
class LayerChart : public ChartView {
  Q_OBJECT

 protected:
  struct Title {
    QString full;
    QString brief;  ///< shown where the full title does not fit
  };
  LayerChart(const Title& title, const RunModel& model, Selection& selection,
             const Theme& theme, QWidget* parent);

  const RunModel& model() const { return m_model; }
  /// @param run the run on display, with all its steps so far
  virtual FigurePanel panelOf(const FigureRun& run, StepIndex step) const = 0;
  virtual std::string sentenceOf(const FigurePanel& panel) const = 0;
  void showStep();

 private:
  Title m_name;
  const RunModel& m_model;
  Selection& m_selection;
};

/// Sizes of the selected step's patch, absolute or relative to the patched matrix.
class NormChart final : public LayerChart {
  Q_OBJECT

 public:
  NormChart(const RunModel& model, Selection& selection, const Theme& theme,
            QWidget* parent = nullptr);

  PatchMeasure measure() const;
  void setMeasure(PatchMeasure measure);

 protected:
  FigurePanel panelOf(const FigureRun& run, StepIndex step) const override;
  std::string sentenceOf(const FigurePanel& panel) const override;

 private:
  QComboBox* m_measure;
};

/// Hidden errors of the selected step, with the noise floor of the run so far, or with
/// the dtype's ε if the run did not measure noise.
class ErrorChart final : public LayerChart {
  Q_OBJECT

 public:
  ErrorChart(const RunModel& model, Selection& selection, const Theme& theme,
             QWidget* parent = nullptr);

 protected:
  FigurePanel panelOf(const FigureRun& run, StepIndex step) const override;
  std::string sentenceOf(const FigurePanel& panel) const override;
};

}  // namespace equipatch
