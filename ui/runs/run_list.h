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

/// The runs since the program started: a run is added when it comes on display, and stays
/// until it is closed. Lives on the window's thread.
class RunList final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Steps, Matches, Median, Worth, kColumns };
  /// The value by which rows are sorted: a number, or a run's name.
  static constexpr int kSortRole = Qt::UserRole;
  /// Returns the file of the run on display.
  using FileOf = std::function<std::filesystem::path()>;

  /// @param model, theme outlive the list.
  RunList(const RunModel& model, const Theme& theme, FileOf file,
          QObject* parent = nullptr);

  int count() const { return int(m_runs.size()); }
  const ListedRun& at(int row) const { return m_runs.at(std::size_t(row)); }
  /// The row of the run on display; −1 when it was closed or there is none.
  int current() const { return m_current; }
  /// The rows that charts show, ascending.
  std::vector<int> shownRows() const;
  void setShown(int row, bool shown);

  /// Sets how the run with this header ended, if it is listed or can be reopened.
  void setEnding(const RunHeader* header, RunEnding ending);
  /// Sets the user's name of the run in a file, now or when the run is added.
  void setNameOf(const std::filesystem::path& file, const QString& name);
  /// True if the run is listed or `setNameOf` has set the name that it will get.
  bool knowsNameOf(const std::filesystem::path& file) const;
  /// The row of the run with the same file or, if `run` has no file, the same header; −1:
  /// none.
  int rowOf(const FigureRun& run) const;
  /// Sets a run's style and drops the user's own colour for the run.
  void setColour(int row, int colour);
  /// Sets the user's own colour for a run, which keeps the line of its style.
  void setOwnColour(int row, const QColor& colour);
  /// The number of tokens at the end of the run's prompt that the run's ancestors
  /// generated or that the user chose for a branch. 0 if neither the run's file nor the
  /// list shows any.
  std::int64_t earlierTokens(int row) const;
  /// The row of the recorded parent, else of the nearest run that may be an ancestor;
  /// empty if neither is listed.
  std::optional<int> parentOf(int row) const;
  /// The number, from 1, of each run among the listed ones with equal settings and
  /// prompt.
  std::vector<int> numbers() const;
  /// The names of shown runs that look alike in charts, in groups of two or more.
  std::vector<QStringList> alike() const;
  void close(int row) { close(std::vector<int>{row}); }  ///< removes a run of the list
  /// The order in which `reopen` lists closed runs again: all Early runs, then all Late
  /// runs. Within each kind, the runs that were closed last come first.
  enum class Reopened { Early, Late };
  /// @param rows ascending
  void close(const std::vector<int>& rows, Reopened turn = Reopened::Early);
  bool canReopen() const { return !m_closed.empty(); }
  /// Puts the next group of runs that were closed together back into the list, with their
  /// colours and newest names.
  void reopen();
  /// Puts a closed run that `isWanted` accepts, if there is one, back into the list: in
  /// `row`, or at the end if the list is shorter.
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
  /// The user named the run of this row, or removed its name.
  void renamed(int row);
  /// A run was ticked, or its tick was removed.
  void ticked();
  /// The run on display has more steps.
  void grew();

 private:
  /// Runs that were closed together.
  struct ClosedRuns {
    std::vector<ListedRun> runs;
    Reopened turn;
  };

  void runStarted();  ///< a listed run that is opened or shown again keeps its row
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
