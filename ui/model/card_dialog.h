#pragma once

#include <QDialog>
#include <QImage>
#include <QTextBrowser>

namespace equipatch {

/// Shows the architecture card beside the window; Escape closes it.
class CardDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit CardDialog(QWidget* parent);

  /// @param html as modelCard makes it
  /// @param diagram the picture that the card calls kDiagram
  void showCard(const QString& title, const QString& html, const QImage& diagram);
  QString text() const { return m_card->toPlainText(); }

 private:
  QTextBrowser* m_card;
};

}  // namespace equipatch
