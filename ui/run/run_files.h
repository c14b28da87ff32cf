// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "ui/run/file_saver.h"
#include "ui/run/run_controller.h"

namespace equipatch {

/// The name of a new file, without the date and time that precede it.
struct DatedName {
  /// Each sequence of characters other than letters, digits, "_", "." and "-" becomes one
  /// "_". The name is cut after 160 bytes.
  QString name;
  QString suffix;  ///< such as ".eqrun"
};

/// Makes the folder and returns the path of a file in it that does not exist yet. Empty
/// if the folder or a file in it cannot be made.
QString datedFile(const QString& folder, const DatedName& wanted);

/// The folder in which the window records runs. QSettings lists the files being recorded,
/// so that the next start finds interrupted runs.
class RunStore final {
 public:
  static constexpr qint64 kDefaultLimit = qint64(2) << 30;  ///< bytes

  explicit RunStore(const QString& folder = defaultFolder(),
                    qint64 limit = kDefaultLimit);
  static QString defaultFolder();

  /// As `datedFile`, with the model's name.
  QString newFile(const QString& model) const;

  /// Lists the file as being recorded. The files of other windows stay listed.
  void beginRecording(const QString& path) const;
  void endRecording(const QString& path) const;
  /// The first existing file whose recording was interrupted and that no program records
  /// now; empty if there is none. Takes complete runs before that file off the list.
  QString interrupted() const;

  const QString& folder() const { return m_folder; }
  qint64 bytes() const;  ///< of all run files in the folder
  qint64 limit() const { return m_limit; }
  /// The files to delete to bring the folder within its limit, oldest first. Leaves out
  /// files that are being recorded or were interrupted.
  QStringList surplus() const;

 private:
  void setRecording(const QStringList& paths) const;
  QString m_folder;
  qint64 m_limit;
};

/// Names, opens and copies the window's run files. The message boxes do not block the
/// caller.
class RunFiles final : public QObject {
  Q_OBJECT

 public:
  /// @param controller, window outlive this
  RunFiles(RunController& controller, QWidget& window, RunStore store = RunStore());

  /// The file for the next run. If no file can be made in the store, emits `failed` and
  /// returns an empty path.
  std::filesystem::path newFile(const QString& model);
  /// True if no run or load is in progress and the run on display has a file.
  bool canSave() const;
  /// Where the window records runs.
  const QString& folder() const { return m_store.folder(); }

  /// Stops the current job and shows the run. The next start no longer offers this run,
  /// unless a program is recording it now.
  void open(const QString& path);
  /// As `open`, but an interrupted run stays offered until it is continued.
  void openToContinue(const QString& path);
  /// Call before the run in the file `of` is continued. If the continuation is recorded
  /// in another file, `into`, the next start no longer offers `of`.
  void expectContinuation(const std::filesystem::path& of,
                          const std::filesystem::path& into);
  /// Starts to copy the file of the run on display to `path`. Emits `saved` or `failed`;
  /// nothing if the user cancels or `path` is that file.
  void save(const QString& path);

  /// Offers to continue or open an interrupted run and to delete surplus runs.
  void askAboutStoredRuns();

 public Q_SLOTS:
  void chooseRun();
  void chooseTarget();
  /// Call when the program ends, so that the next start offers a run in progress.
  void close();

 Q_SIGNALS:
  void openRequested(const QString& path);
  void continueRequested(const QString& path);
  void saved(const QString& path);
  void removed();  ///< files were deleted, or the attempt failed
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
