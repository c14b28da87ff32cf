// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "core/figure/step_panels.h"
#include "core/record/step_record.h"
#include "ui/chart/chart_view.h"
#include "ui/inspect/layer_toggles.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_model.h"
#include "ui/run/strength_probe.h"

namespace equipatch {

/// One step at several strengths α of its patch; 0 is the bare pass, 1 the whole patch.
class StrengthChart final : public ChartView {
  Q_OBJECT

 public:
  static constexpr double kMostAlpha = kMostStrength;

  explicit StrengthChart(const Theme& theme, QWidget* parent = nullptr);

  /// @param readings by rising α; empty: no data
  void show(const std::vector<StrengthReading>& readings);
  /// Marks the chosen strength.
  void setAlpha(double alpha);
  void setStep(int step) { m_step = step; }
  Figure figure() const override;  ///< with the step in its title

 Q_SIGNALS:
  void alphaPicked(double alpha);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QCPItemStraightLine* m_chosen;
  int m_step = 0;
};

/// Computes the patched pass of the selected step again, with the patch at other
/// strengths and on chosen layers.
class StrengthPanel final : public QWidget {
  Q_OBJECT

 public:
  /// All outlive the panel.
  struct Sources {
    const RunModel& model;
    const Selection& selection;
    const RunController& controller;
    StrengthProbe& probe;
    const Theme& theme;
  };
  explicit StrengthPanel(const Sources& sources, QWidget* parent = nullptr);

  /// The reading at the slider's strength. Null until it is computed, and if the run's
  /// own patched pass has this strength.
  const StrengthReading* shown() const;
  double alpha() const { return m_percent->value() / 100.0; }
  /// Also discards a number that was typed but not entered.
  void setPercent(int percent);
  QString hint() const { return m_hint->text(); }
  const StrengthChart& chart() const { return *m_chart; }
  LayerToggles& layers() const { return *m_layers; }

  struct Setting {
    int percent = 100;
    std::vector<bool> layers;  ///< whether each layer is patched
  };
  Setting setting() const { return {m_percent->value(), m_layers->layers()}; }
  /// Ignores `layers` unless their number is that of the run on display.
  void restore(const Setting& setting);

 public Q_SLOTS:
  void reset();  ///< to the whole patch on all layers
  /// Requests the reading at the slider's strength, then those that the curve lacks.
  void requestReadings();

 Q_SIGNALS:
  void shownChanged();
  void failed(const QString& sentence);  ///< a reading failed; the panel shows why
  /// The user asks to load the run's model.
  void modelRequested();

 private:
  /// Whether strengths can be tried now (Ready), or why not.
  enum class State { NoStep, Running, OtherModel, Ready };

  void compose();
  QWidget* makeSlider();
  QWidget* makeLayerRow();
  State state() const;
  QString reason(State state) const;
  void showState();
  void stepChanged();
  void runStarted();
  void settingChanged();
  void layersChanged();
  bool quick() const;
  ReplayedStep replayedStep() const;
  PatchStrength strengthAt(int percent) const;
  void take(const StrengthReading& reading);
  const StrengthReading* current() const;
  bool isWhole() const;
  QString sentence() const;
  void showReadings();

  Sources m_sources;
  QSlider* m_percent = nullptr;
  QDoubleSpinBox* m_alpha = nullptr;
  QPushButton* m_reset = nullptr;
  QPushButton* m_load = nullptr;
  QLabel* m_layerCount = nullptr;
  QLabel* m_hint = nullptr;
  LayerToggles* m_layers = nullptr;
  StrengthChart* m_chart = nullptr;
  QWidget* m_controls = nullptr;
  QTimer m_settle;                            ///< delays requests after a change of step
  std::map<int, StrengthReading> m_readings;  ///< by percent, of the chosen layers
  /// True from a request for this step until a failure. Otherwise the probe's progress
  /// and failures are ignored.
  bool m_isAsked = false;
};

}  // namespace equipatch
