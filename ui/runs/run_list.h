#pragma once

#include <QAbstractTableModel>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/record/run_record.h"
#include "ui/chart/series_style.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// How many styles the runs of a list have; then they come again.
inline constexpr int kRunStyles = 6;

/// L∞ over a run's steps.
struct LinfSpread {
  double low = 0.0, lower = 0.0, median = 0.0, upper = 0.0, high = 0.0;  ///< 10, 25, … %
  double largest = 0.0;
};

/// One run of the list. The one on display has its whole steps; of the others, what
/// charts of many runs need (`withoutVectors`).
struct ListedRun {
  QString ownName;  ///< given by the user; empty: named by what it differs in
  QString name;
  int colour = 0;  ///< numberedStyle's
  bool shown = true;
  std::filesystem::path file;  ///< empty: not recorded, so that it cannot be opened again
  std::shared_ptr<const RunHeader> header;
  std::vector<RunModel::Record> steps;
  qsizetype matches = 0;
  LinfSpread linf;

  SeriesStyle style() const;
};

/// The runs of this session: every run on display joins it and stays until it is closed.
/// Lives on the window's thread.
class RunList final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Steps, Matches, Median, kColumns };
  /// Where the run on display is recorded.
  using FileOf = std::function<std::filesystem::path()>;

  /// @param model, theme outlive the list.
  RunList(const RunModel& model, const Theme& theme, FileOf file,
          QObject* parent = nullptr);

  int count() const { return int(m_runs.size()); }
  const ListedRun& at(int row) const { return m_runs.at(std::size_t(row)); }
  /// The row of the run on display; −1 when it was closed or there is none.
  int current() const { return m_current; }
  /// Rows that charts show, in order.
  std::vector<int> shownRows() const;

  void setColour(int row, int colour);
  /// The run on display too: it stays there, but is drawn alone.
  void close(int row);
  bool canReopen() const { return !m_closed.empty(); }
  /// The one that was closed last, with its name and colour.
  void reopen();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Names (EditRole; empty text gives the run its own back) and what is shown
  /// (CheckStateRole).
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  /// Which runs there are, or how they look.
  void changed();
  /// The run on display has more steps.
  void grew();

 private:
  void begun();
  void appended(int first);
  void insert(ListedRun run);
  void nameAll();
  int freeColour() const;
  QVariant text(const ListedRun& run, int column) const;
  void touch(int row);

  const RunModel& m_model;
  const Theme& m_theme;
  FileOf m_file;
  std::vector<ListedRun> m_runs;
  std::vector<ListedRun> m_closed;
  int m_current = -1;
};

}  // namespace equipatch
