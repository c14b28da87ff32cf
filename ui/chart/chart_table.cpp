// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QPalette>
#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/chart/text_lines.h"

namespace equipatch {
namespace {

/// Empty for NaN.
QString exactText(double value) {
  if (std::isnan(value)) return {};
  return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest);
}

/// Different titles stay different if possible.
QStringList shortTitles(const QStringList& titles) {
  constexpr double kMost = 24.0;  // characters
  const QFontMetricsF metrics(QGuiApplication::font());
  const double room = kMost * metrics.averageCharWidth();
  return elidedApart(titles, metrics, QList<double>(titles.size(), room));
}

}  // namespace

void ChartTableModel::setTable(TableData table) {
  const int before = rowCount();
  const int after = int(table.rows.size());
  if (table.columns != m_data.columns || after < before || before == 0) {
    beginResetModel();
    m_data = std::move(table);
    m_titles = shortTitles(m_data.columns);
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
      cells << (isName(column) ? m_data.names[row] : exactText(value(row, column)));
    lines << cells.join(u'\t');
  }
  return lines.join(u'\n') + u'\n';
}

int ChartTableModel::rowOf(double key) const {
  for (int row = 0; row < rowCount(); ++row)
    if (keyOf(row) == key) return row;
  return -1;
}

void ChartTableModel::markRow(int row) {
  if (row == m_marked) return;
  for (const int changed : {std::exchange(m_marked, row), row})
    if (changed >= 0 && changed < rowCount())
      Q_EMIT dataChanged(index(changed, 0), index(changed, columnCount() - 1),
                         {Qt::BackgroundRole});
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_data.rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_data.columns.size());
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const bool name = isName(index.column());
  if (role == Qt::TextAlignmentRole)
    return int((name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::BackgroundRole && index.row() == m_marked) {
    QColor tint = QGuiApplication::palette().color(QPalette::Highlight);
    tint.setAlphaF(0.25F);
    return tint;
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (name) {
    const QString text = m_data.names[index.row()];
    return role == Qt::DisplayRole ? text : plainToolTip(text);
  }
  const double number = value(index.row(), index.column());
  if (std::isnan(number)) return {};
  return role == Qt::DisplayRole ? numberText(number) : exactText(number);
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation,
                                     int role) const {
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  const QString title = m_data.columns.value(section);
  return role == Qt::DisplayRole ? m_titles.value(section) : plainToolTip(title);
}

ChartTable::ChartTable(QWidget* parent) : QTableView(parent) {
  setObjectName(QStringLiteral("chartTable"));
  setModel(&m_numbers);
  setFrameShape(QFrame::NoFrame);
  setSelectionMode(QAbstractItemView::ContiguousSelection);
  setTabKeyNavigation(false);
  setWordWrap(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
  horizontalHeader()->setHighlightSections(false);
  // A column narrower than its title would cut the title at both ends.
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (!m_marking && current.isValid())
              Q_EMIT rowPicked(m_numbers.keyOf(current.row()));
          });
  auto* copying = new QAction(tr("Copy"), this);
  copying->setToolTip(tr("The selected cells, or all, as tab-separated text"));
  connect(copying, &QAction::triggered, this, &ChartTable::copy);
  auto* everything = new QAction(tr("Select all"), this);
  connect(everything, &QAction::triggered, this, &QTableView::selectAll);
  addActions({copying, everything});
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ChartTable::markRow(double key) {
  const QScopedValueRollback marking(m_marking, true);
  const int row = m_numbers.rowOf(key);
  m_numbers.markRow(row);
  if (row < 0 || row == currentIndex().row()) return;
  const QModelIndex cell = m_numbers.index(row, std::max(0, currentIndex().column()));
  selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
  scrollTo(cell);
}

QString ChartTable::copiedText() const {
  const QItemSelection chosen = selectionModel()->selection();
  if (chosen.isEmpty())
    return m_numbers.text(0, m_numbers.rowCount() - 1, 0, m_numbers.columnCount() - 1);
  const QItemSelectionRange& cells = chosen.first();
  return m_numbers.text(cells.top(), cells.bottom(), cells.left(), cells.right());
}

void ChartTable::copy() const {
  QGuiApplication::clipboard()->setText(copiedText());
}

/// The base class may make the first row current, which the user did not pick.
void ChartTable::focusInEvent(QFocusEvent* event) {
  const QScopedValueRollback marking(m_marking, true);
  QTableView::focusInEvent(event);
}

void ChartTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->key() == Qt::Key_T) return event->ignore();  // the chart toggles the table
  QTableView::keyPressEvent(event);
}

}  // namespace equipatch
