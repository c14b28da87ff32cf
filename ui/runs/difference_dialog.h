#pragma once

#include <QDialog>
#include <QLabel>
#include <QTableView>

#include "ui/runs/difference_model.h"

namespace equipatch {

/// Two runs step by step, beside the window, which goes on; shows what they had when it
/// was opened.
class DifferenceDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit DifferenceDialog(const RunDifferenceSides& sides, QWidget* parent = nullptr);

  QString summary() const { return m_summary->text(); }
  QTableView* table() const { return m_table; }
  /// All rows as tab-separated lines under their headings.
  QString text() const;

 public Q_SLOTS:
  void selectNext();
  void copy() const;

 private:
  void composeTable();

  DifferenceModel* m_model;
  QLabel* m_summary;
  QTableView* m_table;
};

}  // namespace equipatch
