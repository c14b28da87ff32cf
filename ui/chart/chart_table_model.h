#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace equipatch {

/// A chart's numbers: a column a series, after the key's; NaN where a series has none.
struct TableData {
  QStringList columns;
  std::vector<std::vector<double>> rows;  ///< each as long as `columns`
};

/// The numbers as a table: rounded for the eye, whole when copied.
class ChartTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Rows that are added at the end leave what is selected alone.
  void setTable(TableData table);

  /// Rows and columns, both ends included, as tab-separated lines under their headings;
  /// numbers with all their digits.
  QString text(int firstRow, int lastRow, int firstColumn, int lastColumn) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  double value(int row, int column) const {
    return m_data.rows[std::size_t(row)][std::size_t(column)];
  }

  TableData m_data;
};

}  // namespace equipatch
