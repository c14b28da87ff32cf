#include "ui/model/card_dialog.h"

#include <QDialogButtonBox>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/model/model_card.h"

namespace equipatch {

CardDialog::CardDialog(QWidget* parent)
    : QDialog(parent), m_card(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("cardDialog"));
  resize(860, 640);
  m_card->setObjectName(QStringLiteral("card"));
  m_card->setAccessibleName(tr("Architecture card"));
  m_card->setOpenLinks(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(m_card, 1);
  layout->addWidget(buttons);
}

void CardDialog::showCard(const QString& title, const QString& html,
                          const QImage& diagram) {
  setWindowTitle(title);
  m_card->document()->addResource(QTextDocument::ImageResource, QUrl(kDiagram), diagram);
  m_card->setHtml(html);
  show();
  raise();
  activateWindow();
}

}  // namespace equipatch
