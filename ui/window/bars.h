// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QFrame>
#include <QIcon>
#include <QLabel>
#include <QProgressBar>
#include <QToolBar>
#include <QToolButton>

#include "ui/chart/theme.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// Shows one sentence, a failure or a notice, until it is dismissed or replaced.
class MessageBar final : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  QString text() const { return m_label->text(); }

 public Q_SLOTS:
  /// Shows a failure.
  void showMessage(const QString& sentence);
  /// Shows a sentence that reports no failure.
  void showNotice(const QString& sentence);
  /// Shows a notice about a saved file, with buttons that open the file or its folder.
  void showSaved(const QString& sentence, const QString& path);
  void dismiss();
  /// Dismisses a notice; a failure stays.
  void dismissNotice();
  /// Sets whether Escape dismisses the message.
  void setEscapable(bool escapable);

 private:
  enum class Look { Failure, Notice };
  void setLook(Look look);
  QToolButton* addButton(const char* name, const QString& text);
  void setFile(const QString& path);
  void openPath(const QString& path);

  QLabel* m_label;
  QToolButton *m_open, *m_showFolder;  ///< visible for a saved file
  QToolButton* m_close;
  QString m_file;
};

enum class TransportShape { Run, Pause, Step, Stop };

/// @param disabled the icon's colour while its button is disabled
QIcon transportIcon(TransportShape shape, const QColor& colour, const QColor& disabled);

/// Shows the buttons Run, Pause, Step and Stop, and the job's progress, speed and state.
class TransportBar final : public QToolBar {
  Q_OBJECT

 public:
  /// The bar sets the icons of these actions.
  struct Actions {
    QAction *run, *pause, *step, *stop;
  };
  /// The actions, controller, model and theme outlive the bar.
  TransportBar(const Actions& actions, const RunController& controller,
               const RunModel& model, const Theme& theme, QWidget* parent = nullptr);

  QString status() const { return m_status->text(); }
  QString rate() const { return m_rate->text(); }
  int progress() const { return m_progress->value(); }  ///< in thousandths

 private:
  void composeState();
  void showIcons();
  void beginPhase();
  void beginJob();
  void showModel();
  void showState();
  void showProgress(double fraction, const QString& label);
  int stepProgress() const;
  QString statusText() const;
  QString stepsText() const;
  bool isComplete() const;
  QString stepCountText() const;

  Actions m_actions;
  const RunController& m_controller;
  const RunModel& m_model;
  const Theme& m_theme;
  QProgressBar* m_progress;
  QLabel* m_rate;
  QLabel* m_status;
  QString m_label;  ///< of the job's newest progress report
  RunController::Phase m_phase = RunController::Phase::Idle;  ///< at last beginPhase()
};

}  // namespace equipatch
