// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presentation.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QTextEdit>
#include <algorithm>
#include <utility>

#include "ui/chart/layer_charts.h"
#include "ui/inspect/strength_panel.h"
#include "ui/prompt/prompt_editor.h"
#include "ui/window/chart_grid.h"
#include "ui/window/tab_order.h"

namespace equipatch {
namespace {

constexpr int kLeavingMilliseconds = 500;  // until the window has its former size
constexpr int kBarMargin = 8;              // at the bar's right end
constexpr int kButtonPadding = 28;         // left and right of a text, together

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
      m_hint(new QLabel(&window)),
      m_blank(new QWidget(&window)),
      m_ring(new PointerRing(window)) {
  m_hint->setObjectName(QStringLiteral("presentationHint"));
  m_hint->setAlignment(Qt::AlignCenter);
  m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_hint->installEventFilter(this);
  window.installEventFilter(this);
  m_leaving.setSingleShot(true);
  m_leaving.setInterval(kLeavingMilliseconds);
  // Some contents, such as those of a run being opened, get the smaller type late.
  connect(&m_leaving, &QTimer::timeout, this, &Presentation::restoreAgain);
  window.statusBar()->setSizeGripEnabled(false);
  window.statusBar()->setContentsMargins(0, 0, kBarMargin, 0);
  window.statusBar()->addWidget(m_hint, 1);
  addButton("presentPrompt", tr("Prompt"), &Presentation::togglePrompt);
  addButton("presentStrength", tr("Strength"), &Presentation::toggleStrength);
  window.statusBar()->hide();
  m_blank->setObjectName(QStringLiteral("presentationBlank"));
  m_blank->setStyleSheet(QStringLiteral("background: black;"));
  m_blank->setAttribute(Qt::WA_StyledBackground);
  m_blank->hide();
  connect(&selection, &Selection::stepChanged, this, &Presentation::showHint);
  m_player.setInterval(kPlayMilliseconds);
  connect(&m_player, &QTimer::timeout, this, &Presentation::playStep);
  addKeys();
}

void Presentation::addButton(const char* name, const QString& text,
                             void (Presentation::*act)()) {
  auto* button = new QPushButton(text, &m_window);
  button->setObjectName(QString::fromLatin1(name));
  button->setFocusPolicy(Qt::NoFocus);
  connect(button, &QPushButton::clicked, this, act);
  m_window.statusBar()->addPermanentWidget(button);
}

/// True if an editable field or a slider has the keyboard focus.
bool Presentation::isEditing() const {
  const QWidget* focused = m_window.focusWidget();
  const auto* text = qobject_cast<const QTextEdit*>(focused);
  return (text && !text->isReadOnly()) || qobject_cast<const QLineEdit*>(focused) ||
         qobject_cast<const QAbstractSlider*>(focused) ||
         qobject_cast<const QAbstractSpinBox*>(focused);
}

void Presentation::escape() {
  if (!isEditing()) return setOn(false);
  m_window.focusWidget()->clearFocus();
  showLowerCharts(true);
  showHint();
}

void Presentation::turnPage(int by) {
  if (!m_turn || !m_turn(by)) m_selection.moveStep(by);
}

/// Moves the slider instead if one has the focus: the shortcuts catch its arrow keys.
void Presentation::moveStep(int by) {
  auto* slider = qobject_cast<QAbstractSlider*>(m_window.focusWidget());
  if (!slider) return m_selection.moveStep(by);
  slider->triggerAction(by > 0 ? QAbstractSlider::SliderSingleStepAdd
                               : QAbstractSlider::SliderSingleStepSub);
}

void Presentation::toggleBlank() {
  setBlank(!isBlank());
}

/// Also hides the program's other windows, such as the lab, or shows them again.
void Presentation::setBlank(bool blank) {
  if (blank == isBlank()) return;
  if (blank) {
    m_ringReturns = m_ring->isOn();
    for (QWidget* each : m_window.findChildren<QWidget*>())
      if (each->isWindow() && each->isVisible()) m_covered << each;
  }
  m_ring->setOn(!blank && m_ringReturns);
  for (const QPointer<QWidget>& each : m_covered)
    if (each) each->setVisible(!blank);
  if (!blank) m_covered.clear();
  m_blank->setVisible(blank);
  m_blank->setGeometry(m_window.rect());
  m_blank->raise();
}

void Presentation::togglePrompt() {
  auto* dock = m_window.findChild<QDockWidget*>(QStringLiteral("promptDock"));
  if (!dock) return;
  // isVisible() is also true for a dock behind another tab.
  const bool shows = !dock->isVisible() || isBehindTab(*dock);
  if (shows) {
    for (auto* each : m_window.findChildren<QDockWidget*>())
      if (each != dock && each->isVisible() &&
          m_window.dockWidgetArea(each) == Qt::RightDockWidgetArea)
        m_behind.insert(isBehindTab(*each) ? 0 : m_behind.size(), each);
  }
  // Hide before showing: there is no room for the prompt and the other docks at once.
  if (!shows) dock->hide();
  for (QWidget* each : m_behind) each->setVisible(!shows);
  if (!shows) {
    if (!m_behind.isEmpty()) m_behind.last()->raise();
    m_behind.clear();
    return showHint();
  }
  dock->show();
  dock->raise();
  m_window.resizeDocks({dock}, {m_window.width() * 3 / 10}, Qt::Horizontal);
  if (auto* text = dock->findChild<QTextEdit*>(QStringLiteral("prompt"))) {
    text->setFocus();
    text->moveCursor(QTextCursor::End);
  }
  showHint();
}

/// Scrolls to the strength slider and gives it the focus; if the slider has the focus
/// already, does the reverse.
void Presentation::toggleStrength() {
  auto* dock = m_window.findChild<QDockWidget*>(QStringLiteral("stepDock"));
  auto* panel = m_window.findChild<StrengthPanel*>();
  auto* area = dock ? dock->findChild<QScrollArea*>() : nullptr;
  if (!panel || !area) return;
  auto* slider = panel->findChild<QSlider*>(QStringLiteral("strength"));
  const bool leaves = slider->hasFocus();
  if (auto* charts = m_window.findChild<ChartGrid*>()) charts->showAll();
  dock->show();
  dock->raise();
  area->verticalScrollBar()->setValue(
      leaves ? 0 : panel->mapTo(area->widget(), QPoint()).y());
  leaves ? slider->clearFocus() : slider->setFocus();
  showLowerCharts(leaves);
  const int bars = 2 * area->verticalScrollBar()->sizeHint().width();
  const int least = std::max(area->widget()->minimumSizeHint().width() + bars,
                             m_window.width() * 2 / 5);
  m_window.resizeDocks({dock}, {leaves ? m_window.width() / 3 : least}, Qt::Horizontal);
  showHint();
}

void Presentation::setOn(bool on) {
  if (on == m_on) return;
  m_on = on;
  on ? enter() : leave();
  for (QShortcut* key : m_keys) key->setEnabled(on);
  on ? takeKeys() : returnKeys();
  Q_EMIT changed(on);
}

void Presentation::enter() {
  // While m_leaving runs, the window may not have the user's layout back yet.
  if (!m_leaving.isActive()) m_layout = m_window.saveState();
  m_leaving.stop();
  m_state = m_window.windowState();
  m_font = QApplication::font();
  hideChrome();
  // A focused text field would take the arrow keys.
  m_focused = m_window.focusWidget();
  if (m_focused) m_focused->clearFocus();
  m_window.setWindowState(m_state | Qt::WindowFullScreen);
  Q_EMIT entering();
  const double factor = enlargement(m_window.screen()->size());
  QFont large = m_font;
  large.setPointSizeF(m_font.pointSizeF() * factor);
  setFont(large);
  widenButtons();
  widenSides(factor);
  showHint();
  m_window.statusBar()->show();
  m_ring->setOn(true);
}

void Presentation::hideChrome() {
  for (QWidget* widget : m_chrome)
    if (!widget->isHidden()) {
      widget->hide();
      if (!m_hidden.contains(widget)) m_hidden << widget;
    }
  showDockTitles(false);
  if (auto* prompt = m_window.findChild<PromptEditor*>()) prompt->setBrief(true);
}

/// Does nothing in a lesson, which chooses its charts itself.
void Presentation::toggleChart(int chart) {
  auto* charts = m_window.findChild<ChartGrid*>();
  const bool isLesson = m_turn && m_turn(0);
  if (charts && !isLesson && !isEditing()) charts->toggleAlone(chart);
}

/// The strength panel needs the room of the lower charts.
void Presentation::showLowerCharts(bool shown) {
  auto* chart = m_window.findChild<ErrorChart*>();
  const bool isLesson = m_turn && m_turn(0);
  if (!chart || isLesson) return;
  if (shown && chart->isHidden()) return;  // another chart is alone
  chart->parentWidget()->setVisible(shown);
}

void Presentation::restoreLayout(const QByteArray& layout) {
  m_window.restoreState(layout);
  m_layout = layout;  // also for `restoreAgain` after the presentation
  if (!m_on) return;
  m_behind.clear();  // the layout says which docks are open
  hideChrome();
}

void Presentation::setRunsNext(bool runs) {
  m_runsNext = runs;
  showHint();
}

void Presentation::setPaused(bool isPaused) {
  m_isPaused = isPaused;
  showHint();
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
/// font on to its children. Sets the style sheet again, because it keeps the old font.
void Presentation::setFont(const QFont& font) {
  QApplication::setFont(font);
  const QString sheet = m_window.styleSheet();
  m_window.setStyleSheet({});
  m_window.setStyleSheet(sheet);
}

/// Without this, the hidden bar's buttons would keep the widths of the smaller font.
void Presentation::widenButtons() {
  for (auto* button : m_window.statusBar()->findChildren<QPushButton*>())
    button->setMinimumWidth(button->fontMetrics().horizontalAdvance(button->text()) +
                            kButtonPadding);
}

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
  setBlank(false);
  m_ring->setOn(false);
  m_window.statusBar()->hide();
  setFont(m_font);
  showDockTitles(true);
  m_window.setWindowState(m_state);
  if (auto* prompt = m_window.findChild<PromptEditor*>()) prompt->setBrief(false);
  showLowerCharts(true);
  if (auto* charts = m_window.findChild<ChartGrid*>()) charts->showAll();
  for (QWidget* widget : std::exchange(m_hidden, {})) widget->show();
  m_behind.clear();
  if (m_focused) m_focused->setFocus();
  m_window.restoreState(m_layout);  // docks that were closed before stay closed
  // Restore again when the layouts have adapted to the smaller type and window.
  QTimer::singleShot(0, this, &Presentation::restoreAgain);
  m_leaving.start();
}

void Presentation::restoreAgain() {
  if (!m_on) m_window.restoreState(m_layout);
}

void Presentation::togglePlaying() {
  if (m_player.isActive()) return m_player.stop();
  if (m_selection.step() == Selection::kNone || m_runsNext) return Q_EMIT runRequested();
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
