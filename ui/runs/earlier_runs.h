// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/run/catalogue_job.h"
#include "core/work/worker.h"
#include "ui/chart/theme.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// A dialog, not modal, with all runs that were recorded in a folder. Reads and writes
/// their files on a worker of its own.
class EarlierRunsDialog final : public QDialog {
  Q_OBJECT

 public:
  /// Returns the file that is being recorded, which cannot be labelled, continued or
  /// moved to the trash; empty: none.
  using Recording = std::function<std::filesystem::path()>;
  enum class Grouping { None, Model, Day, Tag };

  /// @param theme outlives the dialog
  EarlierRunsDialog(std::filesystem::path folder, const Theme& theme, Recording recording,
                    QWidget* parent = nullptr);
  /// Saves what the user typed.
  ~EarlierRunsDialog() override;

  /// Reads the folder again and shows the dialog.
  void open() override;
  /// Reads the folder again if the dialog is visible.
  void refreshShown();

 Q_SIGNALS:
  /// Emitted once for each chosen run that can be read, in reverse order of the list.
  /// @param name the user's name for the run; may be empty
  void openRequested(const QString& file, const QString& name);
  /// @param name as in `openRequested`
  void continueRequested(const QString& file, const QString& name);
  /// The file's labels were saved. @param name as in `openRequested`
  void labelled(const QString& file, const QString& name);
  void removed();  ///< files may have been moved to the trash

 protected:
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Sink;

  QWidget* makeSearchRow();
  QTreeWidget* makeTree();
  QWidget* makeLabelForm();
  QWidget* makeButtons();
  void connectAll();
  void refresh();
  void showRuns();
  void regroup();
  void showCount(std::size_t shown);
  void addRun(QTreeWidgetItem& group, const CatalogueRun& run);
  QTreeWidgetItem* groupFor(const QString& title, const CatalogueRun& first);
  QStringList groupsOf(const CatalogueRun& run) const;
  std::string searchedText(const CatalogueRun& run) const;
  /// Null unless exactly one run is selected.
  const CatalogueRun* chosen() const;
  std::vector<const CatalogueRun*> allChosen() const;
  std::vector<const CatalogueRun*> removable() const;
  void showChosen();
  void fillForm(const RunLabels& labels);
  RunLabels typed() const;
  void saveTyped();
  void openChosen();
  void continueChosen();
  void moveToTrash();
  void moveToTrash(const QStringList& files);
  void take(const std::shared_ptr<const std::vector<CatalogueRun>>& runs);
  void take(const CatalogueRun& run);
  void refuse(const std::filesystem::path& file, const QString& sentence);

  std::filesystem::path m_folder;
  const Theme& m_theme;
  Recording m_recording;
  std::vector<CatalogueRun> m_runs;
  bool m_isRead = false;          ///< the folder has been read at least once
  bool m_isRegroupDue = false;    ///< a run's tags are no longer those of its groups
  std::filesystem::path m_shown;  ///< the file whose labels the form shows
  /// The form's labels when it was filled or last saved; only differences are saved.
  RunLabels m_filled;
  /// Changes that are not yet known to be in their files.
  std::map<std::filesystem::path, LabelChange> m_unsaved;
  /// Files of `m_unsaved` whose labels could not be saved at the last attempt.
  std::set<std::filesystem::path> m_refused;
  QLineEdit* m_search = nullptr;
  QComboBox* m_grouping = nullptr;
  QTreeWidget* m_tree = nullptr;
  QLineEdit* m_name = nullptr;
  QLineEdit* m_tags = nullptr;
  QPlainTextEdit* m_notes = nullptr;
  QLabel* m_message = nullptr;
  /// Why files could not be moved to the trash. Replaces the number of runs after the
  /// next reading of the folder, and is then cleared.
  QString m_problem;
  QPushButton* m_open = nullptr;
  QPushButton* m_continue = nullptr;
  QPushButton* m_trash = nullptr;
  QTimer m_pause;  ///< fires when nothing was typed for a while
  std::shared_ptr<Sink> m_sink;
  WorkerBridge m_bridge;  // outlives the worker
  std::unique_ptr<Worker> m_worker;
};

}  // namespace equipatch
