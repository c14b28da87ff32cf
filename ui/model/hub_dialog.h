// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <memory>
#include <optional>

#include "core/base/progress.h"
#include "core/hub/hub_jobs.h"
#include "core/work/worker.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Downloads models from the Hugging Face hub and deletes cached models, on a worker of
/// its own. Not modal. Closing the dialog does not stop a download.
class HubDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit HubDialog(QWidget* parent = nullptr);

  /// Also reads the cache again, unless the worker is busy.
  void open() override;

 Q_SIGNALS:
  /// The cache was read; it may be unchanged.
  void cacheChanged();
  /// @param name "owner/name", or "owner/name@revision" if the revision is not "main"
  void loadRequested(const QString& name);

 private:
  class Sink;
  enum class Doing { Nothing, Listing, Downloading, Cache };

  QWidget* makeGetPage();
  QWidget* makeCachePage();
  void begin(Doing what, std::unique_ptr<Job> job);
  void ended(const QString& sentence, bool isProblem = false);
  void list();
  void download();
  void askToDelete();
  void deleteModel(const QString& folder, const QString& name, const QString& size);
  void showOffer(const std::shared_ptr<const HubOffer>& offer);
  void showCache(const std::shared_ptr<const std::vector<CachedSnapshot>>& cache);
  void handleArrival(const QString& name, const QString& commit);
  void refreshButtons();

  QTabWidget* m_pages;
  QLineEdit* m_name;
  QLineEdit* m_revision;
  QTreeWidget* m_known;
  QTreeWidget* m_files;
  QTreeWidget* m_cache;
  QLabel* m_emptyCache;  ///< shown while the cache has no model
  QLabel* m_message;
  QProgressBar* m_progress;
  QPushButton* m_list;
  QPushButton* m_download;
  QPushButton* m_cancel;
  QPushButton* m_load;
  QPushButton* m_delete;
  std::shared_ptr<const HubOffer> m_offer;
  bool m_isMissing = false;  ///< files of the offer may be missing in the cache
  QString m_arrived;  ///< the model downloaded last; empty: none, or it was deleted
  QString m_arrivedCommit;
  QString m_deletion;  ///< message after the current deletion; empty: no deletion
  Doing m_doing = Doing::Nothing;
  Stopwatch m_watch;                      ///< since the job's first report of progress
  std::optional<double> m_firstFraction;  ///< in that report
  std::shared_ptr<Sink> m_sink;
  WorkerBridge m_bridge;  // before m_worker, which uses it
  Worker m_worker;
};

}  // namespace equipatch
