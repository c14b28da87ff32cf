// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <memory>

#include "ui/run/run_exporter.h"

class QFormLayout;

namespace equipatch {

/// Exports a recorded run, several runs as a table, or the patch of one step as a LoRA
/// adapter or in a whole checkpoint. Not modal.
class DataDialog final : public QDialog {
  Q_OBJECT

 public:
  /// A recorded run, as it was when the dialog was opened.
  struct Source {
    QString name;  ///< as the list of runs shows it
    std::filesystem::path file;
    std::shared_ptr<const RunHeader> header;  ///< not null
    int steps = 0;
    /// All ticked recorded runs; one table can contain all of them.
    std::vector<NamedRunFile> ticked = {};
  };
  /// @param exporter outlives the dialog
  DataDialog(Source source, RunExporter& exporter, QWidget* parent = nullptr);

  QComboBox* forms() const { return m_forms; }
  QSpinBox* step() const { return m_step; }
  QLineEdit* target() const { return m_target; }
  QPushButton* exportButton() const { return m_export; }
  QPushButton* loadButton() const { return m_load; }
  QString size() const { return m_size->text(); }
  QString message() const { return m_message->text(); }

 public Q_SLOTS:
  /// Closes the dialog and stops its export.
  void reject() override;

 Q_SIGNALS:
  /// The user wants the run's model to be loaded.
  void modelRequested();

 private:
  void compose();
  QFormLayout* makeForm();
  QLabel* makeRunLabel();
  QWidget* makeButtons();
  void connectAll();
  RunForm form() const;
  bool isOfAllTicked() const;
  /// The value of `ExportRequest::runs`.
  std::vector<NamedRunFile> runs() const;
  QString suggestedName() const;
  void formPicked();
  void formChanged();
  void showState();
  void showSize();
  void grow();
  void browse();
  void start();
  void ended(const QString& sentence);

  Source m_source;
  RunExporter& m_exporter;
  QComboBox* m_forms;
  QLabel* m_meaning;
  QCheckBox* m_allTicked;
  QSpinBox* m_step;
  QLineEdit* m_target;
  QPushButton* m_browse;
  QLabel* m_size;
  QLabel* m_message;
  QPushButton* m_load;
  QPushButton* m_export;
  QPushButton* m_stop;
  QProgressBar* m_progress;
  QString m_outcome;     ///< of this dialog's last export; a new choice clears it
  bool m_isOwn = false;  ///< the exporter works for this dialog
};

}  // namespace equipatch
