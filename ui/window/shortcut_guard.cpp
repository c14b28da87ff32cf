// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcut_guard.h"

#include <QCoreApplication>
#include <QKeyEvent>

namespace equipatch {

ShortcutGuard::ShortcutGuard(QObject* parent) : QObject(parent) {
  QCoreApplication::instance()->installEventFilter(this);
}

/// By ShortcutOverride Qt asks the focused widget whether it claims the key. A widget
/// that does not get the event cannot.
bool ShortcutGuard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride)
    return QObject::eventFilter(watched, event);
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (key.modifiers() != Qt::ControlModifier || key.key() != Qt::Key_E) return false;
  event->ignore();
  return true;
}

}  // namespace equipatch
