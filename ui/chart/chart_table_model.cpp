#include "ui/chart/chart_table_model.h"

#include <QLocale>
#include <cmath>
#include <utility>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

QString wholeNumber(double value) {
  if (std::isnan(value)) return {};
  return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest);
}

}  // namespace

void ChartTableModel::setTable(TableData table) {
  const int before = rowCount();
  const int after = int(table.rows.size());
  if (table.columns != m_data.columns || after < before || before == 0) {
    beginResetModel();
    m_data = std::move(table);
    return endResetModel();
  }
  if (after > before) beginInsertRows({}, before, after - 1);
  m_data = std::move(table);
  if (after > before) endInsertRows();
  Q_EMIT dataChanged(index(0, 0), index(before - 1, columnCount() - 1));
}

QString ChartTableModel::text(int firstRow, int lastRow, int firstColumn,
                              int lastColumn) const {
  QStringList lines{
      m_data.columns.mid(firstColumn, lastColumn - firstColumn + 1).join(u'\t')};
  for (int row = firstRow; row <= lastRow; ++row) {
    QStringList cells;
    for (int column = firstColumn; column <= lastColumn; ++column)
      cells << wholeNumber(value(row, column));
    lines << cells.join(u'\t');
  }
  return lines.join(u'\n') + u'\n';
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_data.rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_data.columns.size());
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const double number = value(index.row(), index.column());
  if (std::isnan(number)) return {};
  return role == Qt::DisplayRole ? numberText(number) : wholeNumber(number);
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation,
                                     int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return m_data.columns.value(section);
}

}  // namespace equipatch
