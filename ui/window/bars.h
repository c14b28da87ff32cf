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

/// Shows a failure in the window, or that something was done, in one sentence that can be
/// selected and copied, until it is dismissed. Never a dialog.
class MessageBar final : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  QString text() const { return m_label->text(); }

 public Q_SLOTS:
  void showMessage(const QString& sentence);
  /// Says that something was done, which nothing else in the window shows.
  void showNotice(const QString& sentence);
  void dismiss();
  /// Sets whether Escape dismisses the message.
  void setEscapable(bool escapable);

 private:
  enum class Look { Failure, Notice };
  void setLook(Look look);

  QLabel* m_label;
  QToolButton* m_close;
};

enum class TransportShape { Run, Pause, Step, Stop };

/// A transport symbol in these colours, with its disabled look.
QIcon transportIcon(TransportShape shape, const QColor& colour, const QColor& disabled);

/// Run, pause, step, stop; progress and speed of the job, and its state in words.
class TransportBar final : public QToolBar {
  Q_OBJECT

 public:
  /// The actions of the bar's buttons; the bar gives them their symbols.
  struct Buttons {
    QAction *run, *pause, *step, *stop;
  };
  /// @param controller, model, theme outlive the bar.
  TransportBar(const Buttons& buttons, const RunController& controller,
               const RunModel& model, const Theme& theme, QWidget* parent = nullptr);

  QString status() const { return m_status->text(); }
  QString rate() const { return m_rate->text(); }
  int progress() const { return m_progress->value(); }

 private:
  void composeState();
  void showIcons();
  void showState();
  void showProgress(double fraction, const QString& label);
  QString statusText() const;
  QString stepsText() const;
  bool isWhole() const;
  QString takenText() const;

  Buttons m_buttons;
  const RunController& m_controller;
  const RunModel& m_model;
  const Theme& m_theme;
  QProgressBar* m_progress;
  QLabel* m_rate;
  QLabel* m_status;
  QString m_label;  ///< of the job's newest report
};

}  // namespace equipatch
