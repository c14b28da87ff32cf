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
  /// For each row, a word that replaces the number in column `named`; empty: no words.
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

  /// The cells of these rows and columns, first and last included, as tab-separated lines
  /// under the column titles; numbers have all digits.
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
/// none is selected, as tab-separated text for a spreadsheet. The row at the chart's
/// marker is tinted and in view.
class ChartTable final : public QTableView {
  Q_OBJECT

 public:
  explicit ChartTable(QWidget* parent = nullptr);

  void setTable(TableData table) { m_numbers.setTable(std::move(table)); }
  const ChartTableModel& numbers() const { return m_numbers; }
  /// The text that copying puts on the clipboard.
  QString copiedText() const;
  /// Tints the row of `key` and scrolls there; tints no row if `key` has none.
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
