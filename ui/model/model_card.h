#pragma once

#include <QDialog>
#include <QImage>
#include <QString>
#include <QTextBrowser>

#include "ui/run/engine.h"

namespace equipatch {

/// The name under which the card shows its block's picture.
inline constexpr QLatin1String kDiagram("block");

/// A loaded model in a few lines: architecture, size, dtype, and what was left unread.
QString modelSummary(const LoadedModel& model);

/// The architecture card, as rich text: the block in words, what becomes of each
/// parameter by which theorem, what is never changed and why, what was left unread. Names
/// from files are escaped.
/// @param parity of the architecture, in words; empty when it is not known
QString modelCard(const LoadedModel& model, const QString& parity);

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
