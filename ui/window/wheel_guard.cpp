// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

#include "ui/chart/chart_view.h"

namespace equipatch {
namespace {

bool isInScrollArea(const QWidget& widget) {
  for (const QWidget* above = widget.parentWidget(); above; above = above->parentWidget())
    if (qobject_cast<const QScrollArea*>(above)) return true;
  return false;
}

/// The setting that the widget is or belongs to, as a spin box's line does, or a chart
/// that scrolls with its panel; null if none.
QWidget* settingOf(QWidget* widget) {
  for (; widget && !widget->isWindow(); widget = widget->parentWidget()) {
    if (qobject_cast<QScrollBar*>(widget) || qobject_cast<QAbstractScrollArea*>(widget))
      return nullptr;
    if (qobject_cast<ChartView*>(widget) && isInScrollArea(*widget)) return widget;
    if (qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget) ||
        qobject_cast<QAbstractSlider*>(widget))
      return widget;
  }
  return nullptr;
}

bool hasFocus(const QWidget& setting) {
  const QWidget* focus = QApplication::focusWidget();
  return focus && (focus == &setting || setting.isAncestorOf(focus));
}

}  // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish) return false;
  auto* widget = qobject_cast<QWidget*>(watched);
  QWidget* setting = widget ? settingOf(widget) : nullptr;
  if (!setting) return false;
  if (event->type() == QEvent::Polish) {
    if (widget->focusPolicy() == Qt::WheelFocus) widget->setFocusPolicy(Qt::StrongFocus);
    return false;
  }
  if (hasFocus(*setting)) return false;
  event->ignore();  // the panel around it scrolls
  return true;
}

}  // namespace equipatch
