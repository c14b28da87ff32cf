#include <QToolButton>

#include "tests/support/test_case.h"
#include "ui/window/message_bar.h"

using namespace equipatch;

class tst_message_bar : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void tellsUntilDismissed();
  void textIsSelectableAndNeverMarkup();
};

void tst_message_bar::tellsUntilDismissed() {
  QWidget parent;
  MessageBar bar(&parent);
  QVERIFY(!bar.isVisibleTo(&parent));
  bar.tell(QStringLiteral("One."));
  bar.tell(QStringLiteral("Two."));
  QVERIFY(bar.isVisibleTo(&parent));
  QCOMPARE(bar.text(), QStringLiteral("Two."));
  bar.findChild<QToolButton*>(QStringLiteral("messageDismiss"))->click();
  QVERIFY(!bar.isVisibleTo(&parent));
}

void tst_message_bar::textIsSelectableAndNeverMarkup() {
  QWidget parent;
  MessageBar bar(&parent);
  const QString text = QStringLiteral("The file <b>x</b> is missing.");
  bar.tell(text);
  const auto* label = bar.findChild<QLabel*>(QStringLiteral("messageText"));
  QCOMPARE(label->text(), text);
  QCOMPARE(label->textFormat(), Qt::PlainText);
  QVERIFY(label->textInteractionFlags() & Qt::TextSelectableByMouse);
}

EQUIPATCH_TEST(tst_message_bar)
#include "tst_message_bar.moc"
