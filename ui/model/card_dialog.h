#pragma once

#include <QDialog>
#include <QTextBrowser>

namespace equipatch {

/// Shows the architecture card beside the window; Escape closes it.
class CardDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit CardDialog(QWidget* parent);

  /// @param html as modelCard makes it
  void showCard(const QString& title, const QString& html);
  QString text() const { return m_card->toPlainText(); }

 private:
  QTextBrowser* m_card;
};

}  // namespace equipatch
