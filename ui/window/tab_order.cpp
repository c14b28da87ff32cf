// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tab_order.h"

#include <QDockWidget>

namespace equipatch {
namespace {

/// The widgets in a part of the window that Tab reaches, in tab order.
QWidgetList tabStops(QWidget& part) {
  QWidgetList stops;
  QWidget* widget = &part;
  do {
    const bool inside = widget == &part || part.isAncestorOf(widget);
    if (inside && widget->focusPolicy() & Qt::TabFocus) stops << widget;
    widget = widget->nextInFocusChain();
  } while (widget != &part);
  return stops;
}

}  // namespace

void chainTabs(const QWidgetList& parts) {
  QWidget* last = nullptr;
  for (QWidget* part : parts)
    for (QWidget* stop : tabStops(*part)) {
      if (last) QWidget::setTabOrder(last, stop);
      last = stop;
    }
}

bool isBehindTab(const QWidget& widget) {
  for (const QWidget* each = &widget; each; each = each->parentWidget())
    if (const auto* dock = qobject_cast<const QDockWidget*>(each))
      // Qt moves a dock behind another tab out of the window. An empty visible region
      // proves nothing: the content of a dock without a title may cover the whole dock.
      return !dock->isWindow() &&
             !dock->parentWidget()->rect().intersects(dock->geometry());
  return false;
}

}  // namespace equipatch
