#pragma once

#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

#include "ui/runs/accuracy_chart.h"
#include "ui/runs/run_list.h"

namespace equipatch {

/// The list of runs over their accuracy: ticked ones are drawn in the charts; a double
/// click or Enter puts one on display, F2 renames it, Del closes it, the context menu
/// recolours it.
class RunsPanel final : public QWidget {
  Q_OBJECT

 public:
  /// Both outlive the panel.
  RunsPanel(RunList& runs, const Theme& theme, QWidget* parent = nullptr);

  QTableView* table() const { return m_table; }
  const AccuracyChart& accuracy() const { return *m_accuracy; }
  /// Selected rows, in order.
  std::vector<int> selectedRows() const;
  /// What the context menu offers for the selected run.
  void fillMenu(QMenu& menu);

 public Q_SLOTS:
  void closeSelected();
  /// The two selected runs beside each other; when not two are selected, the run on
  /// display and the selected one, or else the last two.
  void compareSteps();

 Q_SIGNALS:
  void displayWanted(int row);
  void gridWanted();
  /// One sentence for the user.
  void failed(const QString& sentence);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void composeTable();
  QWidget* makeButtons();
  void showState();
  std::vector<int> pair() const;

  RunList& m_runs;
  const Theme& m_theme;
  QTableView* m_table;
  AccuracyChart* m_accuracy;
  QPushButton* m_grid = nullptr;
  QPushButton* m_compare = nullptr;
};

}  // namespace equipatch
