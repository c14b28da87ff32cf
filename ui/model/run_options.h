// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

#include "core/record/run_request.h"

class QFormLayout;

namespace equipatch {

/// The settings of a run other than those of the patch and the number of steps.
class RunOptions final : public QWidget {
  Q_OBJECT

 public:
  explicit RunOptions(QWidget* parent = nullptr);

  void applyTo(RunRequest& request) const;
  void show(const RunRequest& request);
  /// What all fields hold.
  struct State {
    RunRequest request;
    Sampling sampling;  ///< unlike `request`, includes fields hidden at temperature 0
  };
  State state() const;
  void restore(const State& state);
  /// Stores all fields in QSettings, from which `restore()` reads them.
  void save() const;
  void restore();

 private:
  QCheckBox* addCheck(const char* name, const QString& text, const QString& toolTip);
  void addSampling();
  void showSamplingRows();
  Sampling sampling() const;
  void showSampling(const Sampling& sampling);
  quint64 seed() const;

  QFormLayout* m_form;
  QCheckBox* m_bare;
  QCheckBox* m_ablated;
  QCheckBox* m_noise;
  QCheckBox* m_audit;
  QCheckBox* m_freeRun;
  QCheckBox* m_ignoreEnd;
  QCheckBox* m_keepFactors;
  QDoubleSpinBox* m_temperature = nullptr;
  QSpinBox* m_topK = nullptr;
  QDoubleSpinBox* m_topP = nullptr;
  QLineEdit* m_seed = nullptr;
};

}  // namespace equipatch
