// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_menu.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>

#include "ui/chart/chart_view.h"

namespace equipatch {

ChartMenu::ChartMenu(ChartView& view) : QObject(&view), m_view(view) {
  view.installEventFilter(this);
  view.plot().installEventFilter(this);  // it gets the events over the chart first
}

bool ChartMenu::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
  if (!m_view.isDataVisible()) return true;
  auto* menu = new QMenu(&m_view);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fill(*menu);
  menu->popup(static_cast<const QContextMenuEvent*>(event)->globalPos());
  return true;
}

/// Adds nothing while the chart has no data.
void ChartMenu::fill(QMenu& menu) {
  if (!m_view.isDataVisible()) return;
  menu.addAction(tr("Copy &picture"), &m_view, &ChartView::copyRequested);
  menu.addAction(tr("Copy &numbers"), this, &ChartMenu::copyNumbers);
  menu.addAction(tr("&Export this chart…"), &m_view, &ChartView::exportRequested);
  menu.addSeparator();
  if (m_view.canBeAlone())
    menu.addAction(tr("Show &alone, or all again"), &m_view, &ChartView::aloneRequested);
  QAction* table = menu.addAction(tr("Read as a &table"));
  table->setCheckable(true);
  table->setChecked(m_view.isTable());
  connect(table, &QAction::toggled, &m_view, &ChartView::showTable);
  QAction* lock = menu.addAction(tr("&Lock the axes"));
  lock->setCheckable(true);
  lock->setChecked(m_view.isLocked());
  connect(lock, &QAction::toggled, &m_view, &ChartView::setLocked);
  menu.addAction(tr("&Reset zoom"), &m_view, &ChartView::resetZoom);
}

void ChartMenu::copyNumbers() const {
  ChartTableModel numbers;
  numbers.setTable(m_view.panelTable());
  QGuiApplication::clipboard()->setText(
      numbers.text(0, numbers.rowCount() - 1, 0, numbers.columnCount() - 1));
}

}  // namespace equipatch
