// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>

#include "ui/runs/accuracy_chart.h"
#include "ui/runs/run_list.h"

namespace equipatch {

class LastRuns;

/// The list of runs above the chart of their accuracy. Charts draw the ticked runs; a
/// click or Enter puts a run on display, F2 renames it, Space ticks it, Del closes it,
/// and the context menu changes its style. A click on a header sorts the rows that are
/// there; later runs come last. Row numbers are those of RunList.
class RunsPanel final : public QWidget {
  Q_OBJECT

 public:
  /// Both outlive the panel.
  RunsPanel(RunList& runs, const Theme& theme, QWidget* parent = nullptr);

  QTableView* table() const { return m_table; }
  AccuracyChart& accuracy() const { return *m_accuracy; }
  LastRuns& lastRuns() const { return *m_last; }
  /// Selected rows, ascending.
  std::vector<int> selectedRows() const;
  /// Adds the context menu's entries for the selected runs; none without a selection.
  void fillMenu(QMenu& menu);

 public Q_SLOTS:
  void closeSelected();
  /// Closes runs for the user. @param rows ascending
  void closeRuns(const std::vector<int>& rows);
  /// Compares the first two selected runs. A run that is selected alone is compared with
  /// the run on display. If no other run is on display, it is compared with the run that
  /// it branched off, or else with its neighbour. Without a selection, compares the last
  /// two runs.
  void compareSteps();
  /// Compares the runs by what their absorbed parts are worth.
  void rankByEffect() { m_accuracy->rankByEffect(); }

 Q_SIGNALS:
  void displayRequested(int row);
  /// The user closed the run on display, which had this row.
  void displayedClosed(int row);
  /// The user wants to continue the run of this row, which ended early.
  void continueRequested(int row);
  /// The user wants the runs of these files opened.
  void openRequested(const QStringList& files);
  void gridRequested();
  /// The user wants the prompt's sentences absorbed one at a time.
  void sentencesRequested();
  /// The user wants the panels to take over the settings of the run on display.
  void settingsRequested();
  /// One sentence for the user.
  void failed(const QString& sentence);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void composeTable();
  void composeHeader();
  void clicked(const QModelIndex& index);
  QLayout* makeButtons();
  void addColours(QMenu& menu, int row);
  void chooseColour(int row);
  void showState();
  void selectDisplayed();
  /// Selects the row of this run of the list, and scrolls to it.
  void select(int row);
  int currentOf(const std::vector<int>& rows) const;
  void editName(int row);
  void keepCurrentWhole();
  void tickSelected();
  void hideColumns();
  void compare(const std::vector<int>& selected);
  std::vector<int> pair(std::vector<int> rows) const;

  RunList& m_runs;
  const Theme& m_theme;
  QSortFilterProxyModel* m_sorted;  ///< the list as the table shows it
  QTableView* m_table;
  AccuracyChart* m_accuracy;
  LastRuns* m_last = nullptr;
  QPushButton* m_grid = nullptr;
  QPushButton* m_compare = nullptr;
  QPushButton* m_settings = nullptr;
  /// The run that was last selected because it came on display. It may be gone, so the
  /// pointer is compared only.
  const RunHeader* m_displayed = nullptr;
  bool m_ticked = false;  ///< the click that is being handled ticked a run
  QLabel* m_alike;
};

}  // namespace equipatch
