#include "ui/window/message_bar.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace equipatch {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_label(new QLabel(this)) {
  setObjectName(QStringLiteral("messageBar"));
  m_label->setObjectName(QStringLiteral("messageText"));
  m_label->setAccessibleName(tr("Message"));
  // Sentences carry file names of strangers: never to be read as markup.
  m_label->setTextFormat(Qt::PlainText);
  m_label->setWordWrap(true);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                   Qt::TextSelectableByKeyboard);
  auto* close = new QToolButton(this);
  close->setObjectName(QStringLiteral("messageDismiss"));
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setShortcut(Qt::Key_Escape);  // heard in the whole window while the bar is shown
  close->setToolTip(tr("Dismiss (Esc)"));
  close->setAccessibleName(tr("Dismiss the message"));
  connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 6, 6, 6);
  layout->addWidget(m_label, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void MessageBar::tell(const QString& sentence) {
  m_label->setText(sentence);
  show();
}

void MessageBar::dismiss() {
  m_label->clear();
  hide();
}

}  // namespace equipatch
