// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QTextBrowser>

namespace equipatch {

/// In the order of the tabs.
enum class HelpPage { FirstSteps, Words, Keys, Cite };

/// First steps, the glossary (docs/glossary.md), all keys, and what to cite. Not modal:
/// it is read beside the window.
class HelpDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param menus contain the commands whose keys are listed
  HelpDialog(const QMenuBar& menus, QWidget* parent);

  QTabWidget* pages() const { return m_pages; }
  /// Lists the current keys of the menus' commands. A presentation takes some keys away.
  void showKeys(const QMenuBar& menus);

 private:
  /// @returns the new page, without text.
  QTextBrowser* addPage(const QString& title);

  QTabWidget* m_pages;
  QTextBrowser* m_keys = nullptr;
};

/// Opens a page of the window's help. The dialog is made once and reused.
void showHelp(QMainWindow& window, HelpPage page = HelpPage::FirstSteps);

/// Opens a box with version and licence, and returns at once. The box deletes itself when
/// it is closed.
QMessageBox* showAboutBox(QWidget& window);

}  // namespace equipatch
