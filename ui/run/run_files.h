// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "ui/run/file_saver.h"
#include "ui/run/run_controller.h"

namespace equipatch {

/// The name of a new file, to which date and time are added.
struct DatedName {
  /// Each stretch of characters other than letters, digits, "_", "." and "-" becomes one
  /// "_", and what exceeds 160 bytes is cut.
  QString name;
  QString suffix;  ///< ".eqrun"
};

/// Makes the folder and returns the path of a file in it that does not exist yet. Empty
/// when the folder cannot be made, or no file can be made in it.
QString datedFile(const QString& folder, const DatedName& wanted);

/// The folder "runs" of the program's data, in which the window records runs. The
/// settings hold the files being recorded, so that the next start finds interrupted runs.
class RunStore final {
 public:
  static constexpr qint64 kDefaultLimit = qint64(2) << 30;

  explicit RunStore(const QString& folder = defaultFolder(),
                    qint64 limit = kDefaultLimit);
  static QString defaultFolder();

  /// A new file named by date and model, as `datedFile` makes it.
  QString newFile(const QString& model) const;

  /// Adds the file to the files being recorded; those of other windows stay listed.
  void beginRecording(const QString& path) const;
  void endRecording(const QString& path) const;
  /// The first existing file whose recording was interrupted and that no program records
  /// now; empty when there is none. Removes complete runs before it from the settings.
  QString interrupted() const;

  const QString& folder() const { return m_folder; }
  qint64 bytes() const;  ///< of all run files in the folder
  qint64 limit() const { return m_limit; }
  /// The oldest files, oldest first, as many as must be deleted to bring the folder
  /// within its limit; none that is being recorded or was interrupted.
  QStringList surplus() const;

 private:
  void setRecording(const QStringList& paths) const;
  QString m_folder;
  qint64 m_limit;
};

/// The window's run files: names a file for every run, opens runs, saves them elsewhere,
/// offers at the next start to continue an interrupted run, and to delete the oldest runs
/// if they take too much space. Its message boxes do not block the caller.
class RunFiles final : public QObject {
  Q_OBJECT

 public:
  /// @param controller, window outlive this
  RunFiles(RunController& controller, QWidget& window, RunStore store = RunStore());

  /// A new file for the run that starts now. If the store cannot hold a file, emits
  /// `failed` and returns an empty path, so that the run starts without a record.
  std::filesystem::path newFile(const QString& model);
  /// True if no run or load is in progress and the run on display has a file to save
  /// elsewhere.
  bool canSave() const;
  /// Where the window records runs.
  const QString& folder() const { return m_store.folder(); }

  /// Stops the current job and shows the run, which is then not offered any more.
  void open(const QString& path);
  /// As `open`, but an interrupted run stays offered until it is continued.
  void openToContinue(const QString& path);
  /// Call before the run in the file `of` is continued. If the continuation is recorded
  /// in another file, `into`, the next start no longer offers `of`.
  void expectContinuation(const std::filesystem::path& of,
                          const std::filesystem::path& into);
  /// Copies the file of the run on display as FileSaver does; then emits `saved` or
  /// `failed`, or nothing if the user cancels it or `path` is the same file.
  void save(const QString& path);

  /// Offers to continue or open an interrupted run and to delete surplus ones.
  void askAboutStoredRuns();

 public Q_SLOTS:
  void chooseRun();
  void chooseTarget();
  /// Call when the program ends: a run in progress is offered at the next start.
  void close();

 Q_SIGNALS:
  /// The user has chosen a run to open, or wants to open the interrupted one.
  void openRequested(const QString& path);
  /// The user wants to continue the interrupted run.
  void continueRequested(const QString& path);
  void saved(const QString& path);
  void removed();  ///< files were deleted, or the attempt failed
  /// One sentence for the user.
  void failed(const QString& sentence);

 private:
  bool isRecorded(const QString& file) const;
  void offer(const QString& path);
  void askToDelete(const QStringList& files);
  void removeRuns(const QStringList& files);

  RunController& m_controller;
  QWidget& m_window;
  RunStore m_store;
  QStringList m_own;  ///< the files that this window records into
  struct {
    QString of, into;
  } m_continuation;  ///< of the last `expectContinuation`
  bool m_closed = false;
  FileSaver m_saver;
};

}  // namespace equipatch
