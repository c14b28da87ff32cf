// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QWidget>

#include "ui/run/run_controller.h"
#include "ui/run/run_store.h"

namespace equipatch {

/// The window's run files: records every run, opens runs, saves them elsewhere, offers an
/// interrupted run at the next start, and deletes the oldest runs when they take too much
/// space. Asks in boxes beside the window, which goes on.
class RunFiles final : public QObject {
  Q_OBJECT

 public:
  /// Both outlive this.
  RunFiles(RunController& controller, QWidget& window, RunStore store = RunStore());

  /// A new file for the run that starts now. Emits `failed` and returns an empty path
  /// when the folder cannot be made.
  std::filesystem::path newFile(const QString& model);
  /// Whether no run is going on and the run on display has a file to save elsewhere.
  bool canSave() const;

  void open(const QString& path);
  void save(const QString& path);

  /// Offers to open an interrupted run and to delete surplus ones.
  void offerInterruptedRun();

 public Q_SLOTS:
  void chooseRun();
  void chooseTarget();
  /// Call when the program ends: a run still going on is offered at the next start.
  void close();

 Q_SIGNALS:
  /// One sentence for the user.
  void failed(const QString& sentence);

 private:
  void phaseChanged();
  void offer(const QString& path);
  void askToDelete(const QStringList& files);

  RunController& m_controller;
  QWidget& m_window;
  RunStore m_store;
  bool m_closed = false;
};

}  // namespace equipatch
