#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QSpinBox>
#include <map>

#include "core/figure/figure_kind.h"
#include "ui/export/figure_dialog.h"

namespace equipatch {

/// Makes figures of runs, of a kind and of all steps or one. Runs go on behind it, and
/// show what they had when it was opened.
class ExportDialog final : public FigureDialog {
  Q_OBJECT

 public:
  /// @param runs the one on display first; those without a name are named by what they
  ///   differ in
  ExportDialog(std::vector<FigureRun> runs, QWidget* parent = nullptr);

  /// Draws another run's curves too. @throws Error{BadInput} when it is no run.
  void addRun(const QString& path);

  QComboBox* kinds() const { return m_kinds; }
  QListWidget* runs() const { return m_list; }
  QCheckBox* oneStep() const { return m_oneStep; }
  QSpinBox* step() const { return m_step; }
  QComboBox* measures() const { return m_measures; }

 private:
  QWidget* composeContent();
  void connectAll();
  void listRuns();
  void chooseRun();
  void removeRun();
  /// Those that the kind asks for.
  void enableChoices();
  void choicesChanged();
  FigureKind kind() const;
  Figure figure() const override;
  QString fileName() const override;

  std::vector<FigureRun> drawnRuns() const;

  std::vector<FigureRun> m_runs;
  /// Given by the user, by what tells a run from others.
  std::map<const RunHeader*, std::string> m_ownNames;
  QComboBox* m_kinds;
  QListWidget* m_list;
  QPushButton* m_add;
  QPushButton* m_remove;
  QCheckBox* m_oneStep;
  QSpinBox* m_step;
  QComboBox* m_measures;
};

}  // namespace equipatch
