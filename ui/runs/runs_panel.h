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

/// The list of runs above the chart of their accuracy. Charts draw the ticked runs. A
/// click on a header sorts the rows once: later runs come last. Row numbers are those of
/// RunList.
class RunsPanel final : public QWidget {
  Q_OBJECT

 public:
  /// @param runs, theme outlive the panel.
  RunsPanel(RunList& runs, const Theme& theme, QWidget* parent = nullptr);

  QTableView* table() const { return m_table; }
  AccuracyChart& accuracy() const { return *m_accuracy; }
  LastRuns& lastRuns() const { return *m_last; }
  /// @returns ascending rows.
  std::vector<int> selectedRows() const;
  /// Adds the context menu's entries for the selected runs; none without a selection.
  void fillMenu(QMenu& menu);

 public Q_SLOTS:
  void closeSelected();
  /// @param rows ascending
  void closeRuns(const std::vector<int>& rows);
  /// Compares the first two selected runs or, without a selection, the last two runs. A
  /// run selected alone is compared with the run on display; if no other run is on
  /// display, with the run from which it branched off, or else with its neighbour.
  void compareSteps();
  /// Makes the chart show what each run's absorbed part is worth (ablated KL).
  void rankByEffect() { m_accuracy->rankByEffect(); }

 Q_SIGNALS:
  void displayRequested(int row);
  /// The user closed the run on display. @param row before it was closed
  void displayedClosed(int row);
  /// @param row of a recorded run that ended early
  void continueRequested(int row);
  void openRequested(const QStringList& files);
  void gridRequested();
  /// The user wants one run for each sentence, which absorbs only this sentence.
  void sentencesRequested();
  /// The user wants the panels to have the settings of the run on display.
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
  /// Selects this row alone, and scrolls to it.
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
  QSortFilterProxyModel* m_sorted;  ///< m_runs in the table's order
  QTableView* m_table;
  AccuracyChart* m_accuracy;
  LastRuns* m_last = nullptr;
  QPushButton* m_grid = nullptr;
  QPushButton* m_compare = nullptr;
  QPushButton* m_settings = nullptr;
  /// The run on display when selectDisplayed() was last called. Only compare this
  /// pointer: the run may be gone.
  const RunHeader* m_displayed = nullptr;
  bool m_ticked = false;  ///< the click that is being handled ticked a run
  QLabel* m_alike;
};

}  // namespace equipatch
