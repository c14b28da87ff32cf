// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/figure/run_names.h"
#include "core/record/branch.h"
#include "ui/runs/listed_run.h"

namespace equipatch {

/// The runs that were on display since the program started and are not closed. Lives on
/// the window's thread.
class RunList final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Steps, Matches, Median, Worth, kColumns };
  /// The value to sort by: a number, or a run's name.
  static constexpr int kSortRole = Qt::UserRole;
  /// Returns the file of the run on display; empty: not recorded.
  using FileOf = std::function<std::filesystem::path()>;

  /// @param model, theme outlive the list.
  RunList(const RunModel& model, const Theme& theme, FileOf file,
          QObject* parent = nullptr);

  int count() const { return int(m_runs.size()); }
  const ListedRun& at(int row) const { return m_runs.at(std::size_t(row)); }
  /// The row of the run on display; −1: closed or none.
  int current() const { return m_current; }
  /// The rows of ticked runs that have steps, ascending.
  std::vector<int> shownRows() const;
  void setShown(int row, bool shown);

  /// Sets the ending of the listed or closed run with this header, if any.
  void setEnding(const RunHeader* header, RunEnding ending);
  /// Sets the user's name for the run in a file, now or when the run is added.
  void setNameOf(const std::filesystem::path& file, const QString& name);
  /// True if the run is listed or `setNameOf` has set the name that it will get.
  bool knowsNameOf(const std::filesystem::path& file) const;
  /// The row of the run with the same file or, if `run` has no file, the same header; −1:
  /// none.
  int rowOf(const FigureRun& run) const;
  /// Drops the user's own colour for the run.
  void setColour(int row, int colour);
  /// The rest of the run's style stays.
  void setOwnColour(int row, const QColor& colour);
  /// The number of tokens at the end of the run's prompt that the run's ancestors
  /// generated or that the user chose for a branch. 0 if the run is not known to be a
  /// branch.
  std::int64_t earlierTokens(int row) const;
  /// The row of the recorded parent or, if the parent is not listed, of the nearest run
  /// that may be an ancestor; empty: none.
  std::optional<int> parentOf(int row) const;
  /// Each run's number, from 1, among the listed runs with equal settings and prompt.
  std::vector<int> numbers() const;
  /// The names of shown runs that look alike in charts, in groups of two or more.
  std::vector<QStringList> alike() const;
  void close(int row) { close(std::vector<int>{row}); }  ///< removes a run from the list
  /// `reopen` takes all Early runs before all Late runs; within each kind, it begins with
  /// the runs that were closed last.
  enum class Reopened { Early, Late };
  /// @param rows ascending
  void close(const std::vector<int>& rows, Reopened turn = Reopened::Early);
  bool canReopen() const { return !m_closed.empty(); }
  /// Puts the next group of runs that were closed together back into the list.
  void reopen();
  /// Puts a closed run that `isWanted` accepts, if any, back into the list: in `row`, or
  /// at the end of a shorter list.
  void reopenAt(int row, const std::function<bool(const ListedRun&)>& isWanted);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Sets a run's name (EditRole; an empty text restores the default name) or whether
  /// charts show it (CheckStateRole).
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  /// Runs, names, styles or ticks have changed.
  void changed();
  /// The user changed or removed the name of the run in this row.
  void renamed(int row);
  /// A tick was set or removed.
  void ticked();
  /// The run on display has more steps.
  void grew();

 private:
  /// Runs that were closed together.
  struct ClosedRuns {
    std::vector<ListedRun> runs;
    Reopened turn;
  };

  void runStarted();
  void stepsAppended(int first);
  void insert(ListedRun run, int row);
  bool isDisplayed(const ListedRun& run) const;
  void begin(ListedRun& run) const;
  std::optional<ListedRun> takeClosed();
  ListedRun take(int row);
  void nameAll();
  RunPlace placeOf(int row) const;
  int freeColour() const;
  QVariant text(const ListedRun& run, int column) const;
  void touch(int row);

  const RunModel& m_model;
  const Theme& m_theme;
  FileOf m_file;
  std::vector<ListedRun> m_runs;
  std::vector<ClosedRuns> m_closed;  ///< Late before Early; `reopen` takes the last
  std::map<std::filesystem::path, QString> m_names;  ///< of runs that are not listed
  int m_current = -1;
};

}  // namespace equipatch
