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

/// Exports figures of runs, as the runs were when the dialog was opened.
class ExportDialog final : public FigureDialog {
  Q_OBJECT

 public:
  /// @param runs in the order of the legend; a run without a name is named by the
  /// settings in which the runs differ
  /// @param known runs that may be parents of branches in `runs`; a parent's tokens tell
  /// where the branch left it
  ExportDialog(std::vector<FigureRun> runs, std::vector<FigureRun> known = {},
               QWidget* parent = nullptr);

  /// Reads a file's run on a worker and adds this run; then emits `added` or shows an
  /// error. Stops reading any earlier file.
  void addRun(const QString& path);

  QComboBox* kinds() const { return m_kinds; }
  QListWidget* runs() const { return m_list; }
  /// Asks for a run's file; while a file is being read, stops this.
  QPushButton* addButton() const { return m_add; }
  QCheckBox* oneStep() const { return m_oneStep; }
  QSpinBox* step() const { return m_step; }
  /// The step of the map in "All panels".
  QSpinBox* mapStep() const { return m_mapStep; }
  QComboBox* measures() const { return m_measures; }
  QCheckBox* logarithmicMap() const { return m_logarithmic; }
  QDoubleSpinBox* mapLimit() const { return m_limit; }
  QComboBox* groupings() const { return m_grouping; }
  QCheckBox* spaces() const { return m_spaces; }
  QCheckBox* part(OverviewPart part) const { return m_parts[std::size_t(part)]; }

 Q_SIGNALS:
  /// The user named a run, or removed its name.
  void renamed(const FigureRun& run);
  /// `addRun` has added its run.
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
  /// The job's thread writes it until the job has finished; null: no job.
  std::shared_ptr<std::vector<FigureRun>> m_read;
  WorkerBridge m_bridge;  // must outlive the worker
  Worker m_worker;
};

}  // namespace equipatch
