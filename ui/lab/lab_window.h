#pragma once

#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

#include "ui/lab/figure_view.h"
#include "ui/lab/lab_controller.h"
#include "ui/lab/settings_form.h"
#include "ui/run/run_controller.h"

namespace equipatch {

/// The lab: experiments and their settings on the left, figures that grow while a model
/// is trained on the right, what was found below them. A window of its own, beside the
/// runs.
class LabWindow final : public QWidget {
  Q_OBJECT

 public:
  /// @param runs the worker's other user. All outlive the window.
  LabWindow(LabController& lab, const RunController& runs, const Theme& theme,
            QWidget* parent = nullptr);

  QListWidget* list() const { return m_list; }
  SettingsForm* form() const { return m_form; }
  FigureView* figures() const { return m_figures; }
  QPushButton* startButton() const { return m_start; }
  QPushButton* pauseButton() const { return m_pause; }
  QPushButton* stopButton() const { return m_stop; }
  QPushButton* exportButton() const { return m_export; }
  QLabel* findings() const { return m_findings; }
  QLabel* status() const { return m_status; }

 public Q_SLOTS:
  /// Starts the chosen experiment, or goes on with the paused one.
  void start();
  void exportFigure();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* composeChoice();
  QWidget* composeButtons();
  QWidget* composeFindings();
  void connectAll();
  const Experiment* chosen() const;
  void experimentChosen();
  void phaseChanged();
  void grew();
  QString statusText() const;
  void showFailure(const QString& sentence);

  LabController& m_lab;
  const RunController& m_runs;
  QListWidget* m_list;
  QLabel* m_claim;
  SettingsForm* m_form;
  FigureView* m_figures;
  QLabel* m_findings;
  QLabel* m_status;
  QProgressBar* m_progress;
  QPushButton* m_start;
  QPushButton* m_pause;
  QPushButton* m_stop;
  QPushButton* m_export;
  QString m_label;    ///< what the experiment does now
  QString m_failure;  ///< of the newest experiment; empty: none
};

}  // namespace equipatch
