// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a presentation, and the bar with hints to them.
#include <QAbstractSlider>
#include <QAction>
#include <QEvent>
#include <utility>

#include "ui/window/presentation.h"

namespace equipatch {

void Presentation::addKeys() {
  addKey(Qt::Key_Escape, [this] { escape(); });
  for (const QKeySequence& key :
       {QKeySequence(Qt::Key_F5), QKeySequence(Qt::SHIFT | Qt::Key_F5)})
    addKey(key, [this] { togglePlaying(); });
  addKey(Qt::Key_Left, [this] { moveStep(-1); });
  addKey(Qt::Key_Right, [this] { moveStep(1); });
  addKey(Qt::Key_Up, [this] { m_selection.moveLayer(1); });
  addKey(Qt::Key_Down, [this] { m_selection.moveLayer(-1); });
  addKey(Qt::Key_Home, [this] { m_selection.selectStep(0); });
  addKey(Qt::Key_End, [this] { m_selection.followNewest(); });
  // The keys of a presenter remote act in every window, such as the lab's.
  addKey(
      Qt::Key_PageDown, [this] { turnPage(1); }, WhileBlank::LightsUp,
      Qt::ApplicationShortcut);
  addKey(
      Qt::Key_PageUp, [this] { turnPage(-1); }, WhileBlank::LightsUp,
      Qt::ApplicationShortcut);
  for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period})
    addKey(
        key, [this] { toggleBlank(); }, WhileBlank::Acts, Qt::ApplicationShortcut);
  addKey(Qt::Key_P, [this] { togglePrompt(); });
  addKey(Qt::Key_S, [this] { toggleStrength(); });
  addKey(Qt::Key_R, [this] { m_ring->setOn(!m_ring->isOn()); });
  for (int chart = 0; chart < 5; ++chart)
    addKey(QKeySequence(Qt::Key_1 + chart), [this, chart] { toggleChart(chart); });
}

/// While the screen is blank, a key with WhileBlank::LightsUp only ends the blank.
void Presentation::addKey(const QKeySequence& key, const std::function<void()>& action,
                          WhileBlank blank, Qt::ShortcutContext context) {
  auto* shortcut = new QShortcut(key, &m_window);
  shortcut->setContext(context);
  shortcut->setEnabled(false);
  connect(shortcut, &QShortcut::activated, this, [this, action, blank] {
    isBlank() && blank == WhileBlank::LightsUp ? toggleBlank() : action();
  });
  m_keys << shortcut;
}

/// Removes the presentation's keys from the window's actions: Qt ignores a key as
/// ambiguous if a visible button's action has it as well.
void Presentation::takeKeys() {
  for (auto* action : m_window.findChildren<QAction*>()) {
    QList<QKeySequence> others = action->shortcuts();
    for (const QShortcut* key : m_keys) others.removeAll(key->key());
    if (others == action->shortcuts()) continue;
    m_taken.emplace_back(action, action->shortcuts());
    action->setShortcuts(others);
  }
}

void Presentation::returnKeys() {
  for (const auto& [action, keys] : std::exchange(m_taken, {}))
    if (action) action->setShortcuts(keys);
}

QString Presentation::runHint() const {
  return m_isPaused ? tr("F5 resumes the run") : tr("F5 runs the prompt");
}

/// What the keys do now: the most important key first, the key that leaves last.
QStringList Presentation::hints() const {
  if (qobject_cast<QAbstractSlider*>(m_window.focusWidget()))
    return {tr("← → move the strength"), tr("S goes back to the step")};
  if (isEditing())
    return {m_runsNext || m_selection.step() == Selection::kNone ? runHint()
            : m_isPaused
                ? tr("F5 plays the steps, or resumes the run once the prompt is changed")
                : tr("F5 plays the steps, or runs the prompt once it is changed"),
            tr("Esc leaves the text")};
  if (m_selection.step() == Selection::kNone) return {runHint(), tr("Esc leaves")};
  if (m_turn && m_turn(0))
    return {tr("Page Up and Page Down turn the pages"),
            tr("← → steps"),
            tr("↑ ↓ layers"),
            m_isPaused ? tr("F5 resumes") : tr("F5 runs"),
            tr("S strength"),
            tr("B blank"),
            tr("Esc leaves")};
  const QString playing = m_runsNext ? runHint() : tr("F5 plays");
  return {tr("← → steps"),  tr("↑ ↓ layers"), playing,       tr("P prompt"),
          tr("S strength"), tr("1–5 charts"), tr("B blank"), tr("Esc leaves")};
}

void Presentation::showHint() {
  QStringList shown = hints();
  while (shown.size() > 2 &&
         m_hint->fontMetrics().horizontalAdvance(shown.join(tr(", "))) > m_hint->width())
    shown.removeAt(shown.size() - 2);
  m_hint->setText(shown.join(tr(", ")));
}

bool Presentation::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Resize) return QObject::eventFilter(watched, event);
  if (watched == m_hint) showHint();
  if (watched == &m_window && m_leaving.isActive())
    QTimer::singleShot(0, this, &Presentation::restoreAgain);
  return QObject::eventFilter(watched, event);
}

}  // namespace equipatch
