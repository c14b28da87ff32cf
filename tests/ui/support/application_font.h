#pragma once

#include <QApplication>
#include <QWidget>

namespace equipatch::test {

/// Tells all windows of the application's new font, as Qt does by itself only while the
/// application's own event loop runs, which it does not in tests.
inline void tellApplicationFont() {
  for (QWidget* window : QApplication::topLevelWidgets()) {
    QEvent change(QEvent::ApplicationFontChange);
    QCoreApplication::sendEvent(window, &change);
  }
}

}  // namespace equipatch::test
