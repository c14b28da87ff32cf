// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_geometry.h"

#include <QGuiApplication>
#include <QLayout>
#include <QScreen>
#include <algorithm>

namespace equipatch {
namespace {

// The window manager adds a title bar and borders; their sizes are unknown before the
// window is shown.
constexpr QMargins kFrame(4, 36, 4, 4);

QRect roomOn(const QScreen& screen) {
  return screen.availableGeometry().marginsRemoved(kFrame);
}

}  // namespace

void resizeWithinScreen(QWidget& window, QSize usual) {
  window.resize(usual.boundedTo(roomOn(*window.screen()).size()));
}

void shrinkToScreen(QWidget& window) {
  if (window.isMaximized() || window.isFullScreen()) return;
  if (window.layout()) window.layout()->activate();  // sets the least size
  const QSize fitted = window.size().boundedTo(roomOn(*window.screen()).size());
  if (fitted != window.size()) window.resize(fitted.expandedTo(window.minimumSize()));
}

void placeBeside(QWidget& window, const QRect& kept, QSize usual) {
  const QScreen* screen = QGuiApplication::screenAt(kept.center());
  QRect right = roomOn(screen ? *screen : *window.screen());
  QRect left = right;
  right.setLeft(std::max(right.left(), kept.right() + 1 + kFrame.left()));
  left.setRight(std::min(left.right(), kept.left() - 1 - kFrame.right()));
  const QRect side = right.width() >= left.width() ? right : left;
  window.setGeometry({side.topLeft(), usual.boundedTo(side.size())});
}

bool restoreWithinScreen(QWidget& window, const QByteArray& geometry) {
  if (!window.restoreGeometry(geometry)) return false;
  if (window.isMaximized() || window.isFullScreen()) return true;
  const QRect saved = window.geometry();
  const QScreen* screen = QGuiApplication::screenAt(saved.center());
  const QRect room = roomOn(screen ? *screen : *window.screen());
  QRect fitted(saved.topLeft(), saved.size().boundedTo(room.size()));
  fitted.moveLeft(
      std::clamp(fitted.left(), room.left(), room.right() + 1 - fitted.width()));
  fitted.moveTop(
      std::clamp(fitted.top(), room.top(), room.bottom() + 1 - fitted.height()));
  if (fitted != saved) window.setGeometry(fitted);
  return true;
}

}  // namespace equipatch
