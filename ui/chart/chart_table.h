// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QTableView>
#include <vector>

namespace equipatch {

/// The values of a chart: a column for x, then one for each series. NaN: no value.
struct TableData {
  QStringList columns;
  std::vector<std::vector<double>> rows;  ///< each as long as `columns`
  /// [rows] the words that replace the numbers in column `named`, or empty.
  QStringList names = {};
  int named = 0;
};

/// The values as a table: rounded on display, with all digits when copied.
class ChartTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Keeps the selection if the columns stay and no row is removed.
  void setTable(TableData table);

  /// Tab-separated lines under the column titles, with all digits. The first and the last
  /// row and column are included.
  QString text(int firstRow, int lastRow, int firstColumn, int lastColumn) const;

  /// The row whose first number is `key`, or −1.
  int rowOf(double key) const;
  double keyOf(int row) const { return value(row, 0); }
  /// Tints the background of this row only; −1: none.
  void markRow(int row);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  bool isName(int column) const {
    return column == m_data.named && !m_data.names.isEmpty();
  }
  double value(int row, int column) const {
    return m_data.rows[std::size_t(row)][std::size_t(column)];
  }

  TableData m_data;
  QStringList m_titles;  ///< of the columns, shortened
  int m_marked = -1;
};

/// A chart as a table. Copying takes the rectangle of selected cells, or all cells if
/// none is selected.
class ChartTable final : public QTableView {
  Q_OBJECT

 public:
  explicit ChartTable(QWidget* parent = nullptr);

  void setTable(TableData table) { m_numbers.setTable(std::move(table)); }
  const ChartTableModel& numbers() const { return m_numbers; }
  /// The text that copy() puts on the clipboard.
  QString copiedText() const;
  /// Tints only the row of `key`, if it has one, and scrolls there.
  void markRow(double key);

 public Q_SLOTS:
  void copy() const;

 Q_SIGNALS:
  void rowPicked(double key);  ///< by mouse or keyboard

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  ChartTableModel m_numbers;
  bool m_marking = false;  ///< the current row changes, but the user did not pick it
};

}  // namespace equipatch
