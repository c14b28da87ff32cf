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

/// Shows the pages of HelpPage; Words is the glossary (docs/glossary.md). Not modal:
/// users read the help beside the window.
class HelpDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param menus contain the commands whose keys are listed
  HelpDialog(const QMenuBar& menus, QWidget* parent);

  QTabWidget* pages() const { return m_pages; }
  /// Lists the keys that the menus' commands have now; a presentation removes some.
  void showKeys(const QMenuBar& menus);

 private:
  QTextBrowser* addPage(const QString& title);

  QTabWidget* m_pages;
  QTextBrowser* m_keys = nullptr;
};

/// Opens the window's only HelpDialog at this page.
void showHelp(QMainWindow& window, HelpPage page = HelpPage::FirstSteps);

/// Returns at once. The box deletes itself when it is closed.
QMessageBox* showAboutBox(QWidget& window);

}  // namespace equipatch
