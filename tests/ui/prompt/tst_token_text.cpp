#include "tests/support/test_case.h"
#include "ui/prompt/token_text.h"

using namespace equipatch;

class tst_token_text : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsTheTextOrTheId();
  void promptTokensShowTheirPart();
};

void tst_token_text::showsTheTextOrTheId() {
  QCOMPARE(visibleToken(" a\n", TokenId(42)), QStringLiteral("·a↵"));
  QCOMPARE(visibleToken("𝄞", TokenId(42)), QStringLiteral("𝄞"));
  QCOMPARE(visibleToken("", TokenId(42)), QStringLiteral("#42"));
}

void tst_token_text::promptTokensShowTheirPart() {
  const Token word{TokenId(7), "▁word", {3, 8}, false};
  QCOMPARE(visibleToken(word, "one word"), QStringLiteral("·word"));
  QCOMPARE(visibleToken(Token{.id = TokenId(7)}, ""), QStringLiteral("#7"));
}

EQUIPATCH_TEST(tst_token_text)
#include "tst_token_text.moc"
