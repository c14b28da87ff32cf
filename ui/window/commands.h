// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QMenu>
#include <functional>
#include <vector>

namespace equipatch {

/// A command of the window.
struct Command {
  const char* name;  ///< object name of the action
  QString text;      ///< in the menu, with mnemonic (&)
  QList<QKeySequence> keys;
  std::function<void()> run;
  std::function<bool()> enabled = {};  ///< empty: always
  std::function<bool()> checked = {};  ///< empty: the command has no check mark
  QString toolTip = {};                ///< empty: the text and the first key
  QAction::MenuRole role = QAction::TextHeuristicRole;
};

/// Shows an entry's tooltip only if the tooltip says more than the entry's text and key.
void showFurtherToolTips(QMenu& menu);

/// The actions of the window's commands.
class Commands final {
 public:
  /// @param owner outlives this and owns the actions.
  explicit Commands(QObject& owner) : m_owner(owner) {}

  QAction* add(QMenu& menu, const Command& command);
  /// @throws std::out_of_range when no command has this name.
  QAction* action(const char* name) const;
  /// Evaluates `enabled` and `checked` of every command. Call after each change that a
  /// command depends on.
  void refresh() const;

 private:
  struct Row {
    QAction* action;
    std::function<bool()> enabled;
    std::function<bool()> checked;
  };

  QObject& m_owner;
  std::vector<Row> m_rows;
};

}  // namespace equipatch
