#include "tests/support/test_case.h"
#include "ui/prompt/token_text.h"

using namespace equipatch;

class tst_token_text : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsWhatCannotBeSeen_data();
  void showsWhatCannotBeSeen();
};

void tst_token_text::showsWhatCannotBeSeen_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("shown");
  QTest::newRow("plain") << QStringLiteral("word") << QStringLiteral("word");
  QTest::newRow("leading") << QStringLiteral(" a b") << QStringLiteral("·a b");
  QTest::newRow("trailing") << QStringLiteral("a ") << QStringLiteral("a·");
  QTest::newRow("only spaces") << QStringLiteral("  ") << QStringLiteral("··");
  QTest::newRow("line break") << QStringLiteral("\n") << QStringLiteral("↵");
  QTest::newRow("tab") << QStringLiteral("\t") << QStringLiteral("→");
  QTest::newRow("control") << QString(QChar(7)) << QString(QChar(0xfffd));
  QTest::newRow("none") << QString() << QStringLiteral("#42");
  QTest::newRow("beyond 16 bits") << QStringLiteral("𝄞") << QStringLiteral("𝄞");
}

void tst_token_text::showsWhatCannotBeSeen() {
  QFETCH(QString, text);
  QFETCH(QString, shown);
  QCOMPARE(visibleToken(text.toStdString(), TokenId(42)), shown);
}

EQUIPATCH_TEST(tst_token_text)
#include "tst_token_text.moc"
