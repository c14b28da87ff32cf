// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QSpinBox>
#include <array>
#include <memory>
#include <vector>

#include "core/figure/figure_kind.h"
#include "core/work/worker.h"
#include "ui/export/figure_dialog.h"
#include "ui/work/worker_bridge.h"

class QFormLayout;
class QLayout;

namespace equipatch {

/// Exports figures of runs: a kind of figure, of one step or of all steps. Shows the runs
/// as they were when the dialog was opened; later steps are not added.
class ExportDialog final : public FigureDialog {
  Q_OBJECT

 public:
  /// @param runs begin with the run on display if this run is ticked or no run is ticked;
  /// a run without a name is named by the settings in which the runs differ
  /// @param known may include parents of branches among `runs` that the figure lacks;
  /// their tokens tell where a branch left its parent
  ExportDialog(std::vector<FigureRun> runs, std::vector<FigureRun> known = {},
               QWidget* parent = nullptr);

  /// Reads the run of a file on a worker and adds it; emits `added` or shows a
  /// message when this ends. If another file is being read, stops reading it.
  void addRun(const QString& path);

  QComboBox* kinds() const { return m_kinds; }
  QListWidget* runs() const { return m_list; }
  /// The button that asks for a run file or, while one is being read, stops reading it.
  QPushButton* addButton() const { return m_add; }
  QCheckBox* oneStep() const { return m_oneStep; }
  QSpinBox* step() const { return m_step; }
  /// The step of the map of "All panels".
  QSpinBox* mapStep() const { return m_mapStep; }
  QComboBox* measures() const { return m_measures; }
  QCheckBox* logarithmicMap() const { return m_logarithmic; }
  QDoubleSpinBox* mapLimit() const { return m_limit; }
  QComboBox* groupings() const { return m_grouping; }
  QCheckBox* spaces() const { return m_spaces; }
  /// The check box of a panel of "All panels".
  QCheckBox* part(OverviewPart part) const { return m_parts[std::size_t(part)]; }

 Q_SIGNALS:
  /// The user named a run, or removed its name.
  void renamed(const FigureRun& run);
  /// The run of the file that `addRun` read is in the list.
  void added();

 private:
  QWidget* composeContent();
  void addChoices(QFormLayout& form);
  QLayout* makeParts();
  FigureChoice choice() const;
  void connectAll();
  void listRuns();
  void offerPictures();
  void chooseRun();
  void addRead();
  void endReading();
  void removeRun();
  void moveRun(int from, int to);
  /// Enables the choices that the kind of figure has.
  void enableChoices();
  void choicesChanged();
  FigureKind kind() const;
  Figure figure() const override;
  QString fileName() const override;

  std::vector<FigureRun> m_runs;
  std::vector<FigureRun> m_known;  ///< `known` of the constructor, and added runs
  QComboBox* m_kinds;
  QListWidget* m_list;
  QPushButton* m_add;
  QPushButton* m_remove;
  QCheckBox* m_oneStep;
  QLabel* m_onlyOne;  ///< replaces m_oneStep for a map, which shows one step
  QSpinBox* m_step;
  QSpinBox* m_mapStep;
  QComboBox* m_measures;
  QCheckBox* m_logarithmic;
  QDoubleSpinBox* m_limit;
  QComboBox* m_grouping;
  QCheckBox* m_spaces;
  std::array<QCheckBox*, kOverviewParts> m_parts{};
  /// Filled by the job until it has finished; null: no job.
  std::shared_ptr<std::vector<FigureRun>> m_read;
  WorkerBridge m_bridge;  // declared before the worker, which it outlives
  Worker m_worker;
};

}  // namespace equipatch
