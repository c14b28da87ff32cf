#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QToolBar>

#include "ui/run/run_controller.h"
#include "ui/run/run_model.h"
#include "ui/window/actions.h"

namespace equipatch {

/// Run, pause, step, stop; how far the job is, how fast, and in words what goes on.
class TransportBar final : public QToolBar {
  Q_OBJECT

 public:
  TransportBar(const Actions& actions, const RunController& controller,
               const RunModel& model, QWidget* parent = nullptr);

  QString status() const { return m_status->text(); }
  QString rate() const { return m_rate->text(); }
  int progress() const { return m_progress->value(); }

 private:
  void showState();
  void showProgress(double fraction, const QString& label);
  QString statusText() const;
  QString stepsText() const;

  const RunController& m_controller;
  const RunModel& m_model;
  QProgressBar* m_progress;
  QLabel* m_rate;
  QLabel* m_status;
  QString m_label;  // of the job's newest report
};

}  // namespace equipatch
