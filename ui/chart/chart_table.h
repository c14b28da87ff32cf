#pragma once

#include <QTableView>

#include "ui/chart/chart_table_model.h"

namespace equipatch {

/// A chart read as a table. Copying takes the selected cells' rectangle, or everything
/// where nothing is selected, as tab-separated text for a spreadsheet.
class ChartTable final : public QTableView {
  Q_OBJECT

 public:
  explicit ChartTable(QWidget* parent = nullptr);

  void setTable(TableData table) { m_numbers.setTable(std::move(table)); }
  const ChartTableModel& numbers() const { return m_numbers; }
  /// What copying takes.
  QString copiedText() const;

 public Q_SLOTS:
  void copy() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  ChartTableModel m_numbers;
};

}  // namespace equipatch
