// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QWidget>

namespace equipatch::test {

/// Sends all widgets the change of the application font. Qt does so only while the
/// application's own event loop runs, which it does not in tests.
inline void sendApplicationFontChange() {
  for (QWidget* widget : QApplication::allWidgets()) {
    QEvent change(QEvent::ApplicationFontChange);
    QCoreApplication::sendEvent(widget, &change);
  }
}

}  // namespace equipatch::test
