// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presentation.h"

#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QScreen>
#include <QStatusBar>
#include <algorithm>
#include <utility>

namespace equipatch {
namespace {

QWidget* emptyTitleBar(QWidget& parent) {
  auto* widget = new QWidget(&parent);
  (new QHBoxLayout(widget))->setContentsMargins({});
  return widget;
}

}  // namespace

Presentation::Presentation(QMainWindow& window, Selection& selection,
                           QList<QWidget*> chrome)
    : QObject(&window),
      m_window(window),
      m_selection(selection),
      m_chrome(std::move(chrome)),
      m_hint(new QLabel(&window)) {
  m_hint->setObjectName(QStringLiteral("presentationHint"));
  m_hint->setAlignment(Qt::AlignCenter);
  window.statusBar()->setSizeGripEnabled(false);
  window.statusBar()->addWidget(m_hint, 1);
  window.statusBar()->hide();
  connect(&selection, &Selection::stepChanged, this, &Presentation::showHint);
  m_player.setInterval(kPlayMilliseconds);
  connect(&m_player, &QTimer::timeout, this, &Presentation::playStep);
  addKey(Qt::Key_Escape, [this] { setOn(false); });
  addKey(Qt::Key_F5, [this] { togglePlaying(); });
  addKey(Qt::Key_Left, [this] { m_selection.moveStep(-1); });
  addKey(Qt::Key_Right, [this] { m_selection.moveStep(1); });
  addKey(Qt::Key_Up, [this] { m_selection.moveLayer(1); });
  addKey(Qt::Key_Down, [this] { m_selection.moveLayer(-1); });
  addKey(Qt::Key_Home, [this] { m_selection.selectStep(0); });
  addKey(Qt::Key_End, [this] { m_selection.followNewest(); });
}

void Presentation::addKey(const QKeySequence& key, const std::function<void()>& action) {
  auto* shortcut = new QShortcut(key, &m_window);
  shortcut->setEnabled(false);
  connect(shortcut, &QShortcut::activated, this, action);
  m_keys << shortcut;
}

void Presentation::setOn(bool on) {
  if (on == m_on) return;
  m_on = on;
  on ? enter() : leave();
  for (QShortcut* key : m_keys) key->setEnabled(on);
  Q_EMIT changed(on);
}

void Presentation::enter() {
  m_layout = m_window.saveState();
  m_state = m_window.windowState();
  m_font = QApplication::font();
  for (QWidget* widget : m_chrome) widget->hide();
  // Fields that edit text would take the arrow keys.
  if (QWidget* focused = m_window.focusWidget()) focused->clearFocus();
  showDockTitles(false);
  const double factor = enlargement(m_window.screen()->size());
  QFont large = m_font;
  large.setPointSizeF(m_font.pointSizeF() * factor);
  setFont(large);
  widenSides(factor);
  m_window.setWindowState(m_state | Qt::WindowFullScreen);
  showHint();
  m_window.statusBar()->show();
}

void Presentation::showHint() {
  m_hint->setText(
      m_selection.step() == Selection::kNone
          ? tr("F5 runs the prompt, Esc leaves")
          : tr("← → walk the steps, ↑ ↓ the layers, F5 plays the steps, Esc leaves"));
}

double Presentation::enlargement(const QSize& screen) {
  constexpr QSizeF kUsual(1000.0, 600.0);
  constexpr double kLargest = 3.0;
  const double ratio =
      std::min(screen.width() / kUsual.width(), screen.height() / kUsual.height());
  return std::clamp(ratio, kLeastEnlargement, kLargest);
}

void Presentation::showDockTitles(bool shown) {
  for (auto* dock : m_window.findChildren<QDockWidget*>()) {
    delete dock->titleBarWidget();
    dock->setTitleBarWidget(shown ? nullptr : emptyTitleBar(*dock));
  }
}

/// Sets the application's font, because a window with a style sheet does not pass its own
/// font on to its children. A style sheet keeps the fonts from when it was set, so it is
/// set again.
void Presentation::setFont(const QFont& font) {
  QApplication::setFont(font);
  const QString sheet = m_window.styleSheet();
  m_window.setStyleSheet({});
  m_window.setStyleSheet(sheet);
}

/// Widens the docks beside the centre as their text grows.
void Presentation::widenSides(double factor) {
  for (auto* dock : m_window.findChildren<QDockWidget*>()) {
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(dock);
    const bool side = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
    if (side && !dock->isHidden())
      m_window.resizeDocks({dock}, {int(dock->width() * factor)}, Qt::Horizontal);
  }
}

void Presentation::leave() {
  m_player.stop();
  m_window.statusBar()->hide();
  setFont(m_font);
  showDockTitles(true);
  m_window.setWindowState(m_state);
  for (QWidget* widget : m_chrome) widget->show();
  m_window.restoreState(m_layout);  // docks that were closed before stay closed
}

void Presentation::togglePlaying() {
  if (m_player.isActive()) return m_player.stop();
  if (m_selection.step() == Selection::kNone) return Q_EMIT runRequested();
  const int before = m_selection.step();
  m_selection.moveStep(1);
  if (m_selection.step() == before) m_selection.selectStep(0);
  m_player.start();
}

void Presentation::playStep() {
  const int before = m_selection.step();
  m_selection.moveStep(1);
  if (m_selection.step() == before) m_player.stop();
}

}  // namespace equipatch
