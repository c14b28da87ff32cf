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

/// Saves files, one at a time, on a worker of its own, so that the SharedWorker's job
/// goes on. If a job takes long, a dialog shows its progress and lets the user cancel it.
/// The destructor stops the job and waits for its end.
class FileSaver final : public QObject {
  Q_OBJECT

 public:
  /// @param window outlives this
  /// @param title the dialog's, such as "Save run as"
  FileSaver(QWidget& window, QString title);

  /// Why no file can be saved now, as a sentence for the user; empty if one can. A
  /// cancelled job is an obstacle until it has ended.
  QString obstacle() const;
  /// Requires that `obstacle` is empty. Emits `failed` if the job fails, even after
  /// Cancel.
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
  bool m_isSaving = false;  ///< also while a cancelled job has not ended
  QString m_target;
  std::function<void()> m_whenSaved;
  QPointer<QProgressDialog> m_dialog;  ///< null after the end or Cancel
  WorkerBridge m_bridge;               // declared before the worker, which it outlives
  Worker m_worker;
};

}  // namespace equipatch
