// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include <QHelpEvent>
#include <QToolTip>
#include <stdexcept>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

QString usualToolTip(QString text, const QKeySequence& key) {
  text.remove(u'&');
  if (key.isEmpty()) return text;
  return text + u' ' + tr("(%1)").arg(key.toString(QKeySequence::NativeText));
}

/// Keeps the tooltip from an entry of a menu to whose text it adds nothing.
class FurtherToolTips final : public QObject {
 public:
  explicit FurtherToolTips(QMenu& menu) : QObject(&menu), m_menu(menu) {}

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::ToolTip) return QObject::eventFilter(watched, event);
    const QAction* entry = m_menu.actionAt(static_cast<QHelpEvent*>(event)->pos());
    if (entry && saysMore(*entry)) return false;  // the menu shows it
    QToolTip::hideText();
    return true;
  }

 private:
  static bool saysMore(const QAction& entry) {
    QString text = entry.text();
    const QString tip = entry.toolTip();
    // Qt's own tooltip is the text without these dots.
    return tip != usualToolTip(text, entry.shortcut()) && tip != usualToolTip(text, {}) &&
           tip != usualToolTip(text.remove(u'…'), {});
  }

  const QMenu& m_menu;
};

}  // namespace

void showFurtherToolTips(QMenu& menu) {
  menu.setToolTipsVisible(true);
  menu.installEventFilter(new FurtherToolTips(menu));
}

QAction* Commands::add(QMenu& menu, const Command& command) {
  auto* action = new QAction(command.text, &m_owner);
  action->setObjectName(QString::fromLatin1(command.name));
  action->setShortcuts(command.keys);
  action->setToolTip(command.toolTip.isEmpty()
                         ? usualToolTip(command.text, command.keys.value(0))
                         : command.toolTip);
  action->setMenuRole(command.role);
  action->setCheckable(bool(command.checked));
  QObject::connect(action, &QAction::triggered, &m_owner, command.run);
  menu.addAction(action);
  m_rows.push_back({action, command.enabled, command.checked});
  return action;
}

QAction* Commands::action(const char* name) const {
  for (const Row& row : m_rows)
    if (row.action->objectName() == QLatin1StringView(name)) return row.action;
  throw std::out_of_range(name);
}

void Commands::refresh() const {
  for (const Row& row : m_rows) {
    if (row.enabled) row.action->setEnabled(row.enabled());
    if (row.checked) row.action->setChecked(row.checked());
  }
}

}  // namespace equipatch
