#pragma once

#include <QDialog>
#include <QMenuBar>
#include <QTabWidget>
#include <QTextBrowser>

namespace equipatch {

/// What to do first, what the words mean (docs/glossary.md, as it is) and which keys
/// there are. Not modal: one reads it beside the window.
class HelpDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param menus whose commands' keys are listed
  HelpDialog(const QMenuBar& menus, QWidget* parent);

  QTabWidget* pages() const { return m_pages; }

 private:
  /// @returns the new page. Its text is to be set by the caller.
  QTextBrowser* addPage(const QString& title);

  QTabWidget* m_pages;
};

}  // namespace equipatch
