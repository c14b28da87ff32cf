// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QObject>
#include <QPointer>
#include <QProgressDialog>
#include <QString>
#include <QWidget>
#include <functional>
#include <memory>

#include "core/work/worker.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Saves files, one at a time, on a separate worker, so that a running experiment goes
/// on. If saving takes a while, a dialog shows the progress and lets the user cancel. If
/// the program ends before a file is complete, that file is removed.
class FileSaver final : public QObject {
  Q_OBJECT

 public:
  /// @param window outlives this
  /// @param title the dialog's, such as "Save run as"
  FileSaver(QWidget& window, QString title);

  /// A sentence for the user while a file is being saved, or while a cancelled job has
  /// not ended yet; empty when another file can be saved.
  QString obstacle() const;
  /// Starts to save. Call it only when `obstacle` is empty. Emits `failed` if the job
  /// fails, and nothing if the user cancels.
  /// @param job writes `path`
  /// @param whenSaved called on this thread when the job has succeeded
  void start(std::unique_ptr<Job> job, const QString& path,
             std::function<void()> whenSaved);

 Q_SIGNALS:
  void failed(const QString& sentence);

 private:
  QLabel* nameLabel() const;
  void showProgress();
  void closeDialog();
  void end();

  QWidget& m_window;
  QString m_title;
  bool m_isSaving = false;             ///< also while a cancelled saving ends
  QString m_target;                    ///< the path last given to `start`
  std::function<void()> m_whenSaved;   ///< the callback last given to `start`
  QPointer<QProgressDialog> m_dialog;  ///< null after the end or Cancel
  WorkerBridge m_bridge;               // declared before the worker, which it outlives
  Worker m_worker;
};

}  // namespace equipatch
