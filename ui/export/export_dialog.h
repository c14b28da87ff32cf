#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <map>

#include "core/figure/figure_kind.h"
#include "ui/export/figure_preview.h"
#include "ui/export/style_form.h"

namespace equipatch {

/// Makes figures of runs: kind, runs and style on the left, how it will be printed on the
/// right. Nothing waits for it: runs go on behind it, and show what they had when it was
/// opened.
class ExportDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param runs the one on display first; those without a name are named by what they
  ///   differ in
  ExportDialog(std::vector<FigureRun> runs, QWidget* parent = nullptr);

  /// Draws another run's curves too. @throws Error{BadInput} when it is no run.
  void addRun(const QString& path);
  /// @throws Error{Resource} when it cannot be written.
  void save(const QString& path);
  void copy() const;

  QComboBox* kinds() const { return m_kinds; }
  QListWidget* runs() const { return m_list; }
  QCheckBox* oneStep() const { return m_oneStep; }
  QSpinBox* step() const { return m_step; }
  QComboBox* measures() const { return m_measures; }
  StyleForm* styleForm() const { return m_style; }
  FigurePreview* preview() const { return m_preview; }
  QPushButton* saveButton() const { return m_save; }

 private:
  QWidget* composeContent();
  QWidget* composeButtons();
  void connectAll();
  void listRuns();
  void chooseRun();
  void removeRun();
  void chooseTarget();
  void refresh();
  FigureKind kind() const;
  Figure figure() const;

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
  StyleForm* m_style;
  FigurePreview* m_preview;
  QPushButton* m_save;
  QPushButton* m_copy;
};

}  // namespace equipatch
