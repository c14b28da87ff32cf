#pragma once

#include <QObject>
#include <QString>
#include <QWidget>

#include "ui/run/run_controller.h"
#include "ui/run/run_store.h"

namespace equipatch {

/// The window's run files: every run is recorded by itself; runs are opened, saved
/// elsewhere, offered again after an interruption, and cleaned up when they take too
/// much. Its questions are boxes beside the window, which goes on.
class RunFiles final : public QObject {
  Q_OBJECT

 public:
  /// Both outlive this.
  RunFiles(RunController& controller, QWidget& window, RunStore store = RunStore());

  /// Where the run that starts now is recorded; empty, and told, when it cannot be.
  std::filesystem::path begin(const QString& model);
  /// Whether the run on display has a file that can be saved elsewhere now.
  bool canSave() const;

  void open(const QString& path);
  void save(const QString& path);

  /// Offers the run that was interrupted, and asks about surplus ones.
  void greet();

 public Q_SLOTS:
  void chooseRun();
  void chooseTarget();
  /// The program ends: a run that is still going on is offered at the next start.
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
