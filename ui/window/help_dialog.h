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
  /// @param menus whose commands' keys are listed
  HelpDialog(const QMenuBar& menus, QWidget* parent);

  QTabWidget* pages() const { return m_pages; }
  /// Lists the keys that the menus' commands have now: a presentation takes some.
  void showKeys(const QMenuBar& menus);

 private:
  /// @returns the new page, without text.
  QTextBrowser* addPage(const QString& title);

  QTabWidget* m_pages;
  QTextBrowser* m_keys = nullptr;
};

/// Opens a page of the window's help. The dialog is kept.
void showHelp(QMainWindow& window, HelpPage page = HelpPage::FirstSteps);

/// Opens a box with version and licence beside the window. The box deletes itself when it
/// is closed.
QMessageBox* showAboutBox(QWidget& window);

}  // namespace equipatch
