// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/record/lab_result.h"
#include "ui/export/figure_dialog.h"
#include "ui/lab/figure_view.h"
#include "ui/lab/lab_controller.h"
#include "ui/lab/settings_form.h"
#include "ui/run/run_controller.h"

namespace equipatch {

/// An experiment's title, setting and seed, its scalars beside the paper's values, and
/// its notes, as rich text.
QString findingsText(const LabResult& result);

/// The lab's window: the experiments, and the settings, figures and findings of the
/// chosen experiment.
class LabWindow final : public QWidget {
  Q_OBJECT

 public:
  static constexpr QSize kUsualSize{1180, 800};

  /// The chosen experiment and its settings.
  struct State {
    int row = 0;
    std::optional<SettingsForm::State> settings;  ///< none: the defaults
  };

  /// @param lab, runs, theme must outlive the window.
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
  State state() const { return {m_list->currentRow(), m_form->state()}; }
  void restore(const State& state);

 public Q_SLOTS:
  /// Starts the chosen experiment, or resumes the paused one.
  void start();
  /// Shows the chosen experiment's newest finished result again if it was computed with
  /// these settings. Otherwise starts the experiment from its beginning, even if one is
  /// paused.
  void showOrStart();
  void exportFigure();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* composeChoice();
  void fitList();
  QWidget* composeButtons();
  QWidget* composeFindings();
  void connectAll();
  const Experiment* chosen() const;
  /// @throws Error as `SettingsForm::settings`.
  LabRequest request() const;
  void startAnew();
  void experimentChosen();
  /// The chosen experiment's newest result; null: none.
  std::shared_ptr<const LabResult> shown() const;
  void phaseChanged();
  void showResult();
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
  QString m_label;    ///< the experiment's current phase of work
  QString m_failure;  ///< of the newest experiment or its settings; empty: none
};

/// Exports a figure of all panels of an experiment's result, or of one panel.
class LabExport final : public FigureDialog {
  Q_OBJECT

 public:
  /// @param result with at least one panel
  explicit LabExport(std::shared_ptr<const LabResult> result, QWidget* parent = nullptr);

  /// "All", then each panel.
  QComboBox* panels() const { return m_panels; }

 private:
  Figure figure() const override;
  QString fileName() const override;
  void suggestWidth();

  std::shared_ptr<const LabResult> m_result;
  mutable std::optional<Figure> m_all;  ///< made once, because its image is large
  QComboBox* m_panels;
};

}  // namespace equipatch
