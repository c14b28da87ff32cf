#include "ui/chart/chart_table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

namespace equipatch {

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
  auto* copying = new QAction(tr("Copy"), this);
  copying->setToolTip(tr("The selected cells, or all, as tab-separated text"));
  connect(copying, &QAction::triggered, this, &ChartTable::copy);
  auto* everything = new QAction(tr("Select all"), this);
  connect(everything, &QAction::triggered, this, &QTableView::selectAll);
  addActions({copying, everything});
  setContextMenuPolicy(Qt::ActionsContextMenu);
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

void ChartTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->key() == Qt::Key_T) return event->ignore();  // the chart's: back to it
  QTableView::keyPressEvent(event);
}

}  // namespace equipatch
