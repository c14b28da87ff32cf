// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include <stdexcept>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

QString usualToolTip(const Command& command) {
  QString text = command.text;
  text.remove(u'&');
  if (command.keys.isEmpty()) return text;
  const QString key = command.keys.first().toString(QKeySequence::NativeText);
  return text + u' ' + tr("(%1)").arg(key);
}

}  // namespace

QAction* Commands::add(QMenu& menu, const Command& command) {
  auto* action = new QAction(command.text, &m_owner);
  action->setObjectName(QString::fromLatin1(command.name));
  action->setShortcuts(command.keys);
  action->setToolTip(command.toolTip.isEmpty() ? usualToolTip(command) : command.toolTip);
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
