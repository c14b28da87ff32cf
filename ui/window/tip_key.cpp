// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tip_key.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QToolTip>

namespace equipatch {

TipKey::TipKey(QObject* parent) : QObject(parent) {
  QCoreApplication::instance()->installEventFilter(this);
}

bool TipKey::eventFilter(QObject* watched, QEvent* event) {
  QWidget* field = QApplication::focusWidget();
  if (event->type() != QEvent::KeyPress || !field || watched != field)
    return QObject::eventFilter(watched, event);
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (key.modifiers() != Qt::ShiftModifier || key.key() != Qt::Key_F1) return false;
  QString text;
  QPoint below = field->rect().bottomLeft();
  if (const auto* view = qobject_cast<QAbstractItemView*>(field)) {
    text = view->currentIndex().data(Qt::ToolTipRole).toString();
    if (!text.isEmpty())
      below = view->viewport()->mapTo(
          view, view->visualRect(view->currentIndex()).bottomLeft());
  }
  // A field without a tooltip has that of the nearest widget around it.
  for (const QWidget* each = field; text.isEmpty() && each;
       each = each->isWindow() ? nullptr : each->parentWidget())
    text = each->toolTip();
  QToolTip::showText(field->mapToGlobal(below), text, field);
  return true;
}

}  // namespace equipatch
