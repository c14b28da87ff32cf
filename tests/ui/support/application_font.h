// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QWidget>

namespace equipatch::test {

/// Sends all widgets the change of the application font at once. Qt posts it to the
/// windows, which receive it only when events are processed.
inline void sendApplicationFontChange() {
  for (QWidget* widget : QApplication::allWidgets()) {
    QEvent change(QEvent::ApplicationFontChange);
    QCoreApplication::sendEvent(widget, &change);
  }
}

}  // namespace equipatch::test
