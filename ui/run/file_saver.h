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

/// Saves files, one at a time, on a worker of its own, so that experiments go on. A
/// dialog, which is seen only if the saving takes a while, shows the progress and can end
/// it. A file that is not whole when the program ends is removed.
class FileSaver final : public QObject {
  Q_OBJECT

 public:
  /// @param window outlives this
  /// @param title of the dialog: "Save run as"
  FileSaver(QWidget& window, QString title);

  /// Why nothing can be saved now, because a file is being saved, or a saving that the
  /// user cancelled has not ended yet; else empty.
  QString obstacle() const;
  /// Starts to save; call it without an obstacle. If the job fails, `failed` follows, and
  /// nothing does if the user ends the saving.
  /// @param job writes `path`
  /// @param whenSaved called on this thread
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
  QString m_target;                    ///< of the last saving
  std::function<void()> m_whenSaved;   ///< likewise
  QPointer<QProgressDialog> m_dialog;  ///< null unless it can still cancel
  WorkerBridge m_bridge;               // declared before the worker, which it outlives
  Worker m_worker;
};

}  // namespace equipatch
