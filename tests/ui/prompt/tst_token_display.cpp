// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/token_display.h"

#include <QImage>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<Token> tokens(const std::vector<ByteSpan>& spans) {
  std::vector<Token> all;
  for (const ByteSpan& span : spans) all.push_back({TokenId(0), {}, span, false});
  return all;
}

QImage drawn(BracketEnds ends) {
  QImage image(20, 12, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  drawKeptBracket(painter, QRectF(2, 0, 16, 12), ends, Qt::black);
  return image;
}

bool isSet(const QImage& image, int x, int y) {
  return image.pixelColor(x, y) == Qt::black;
}

}  // namespace

class tst_token_display : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void tokensShowTheirTextOrTheirId();
  void candidatesShowBytesOfHalfCharacters();
  void halfACharacterIsShownByItsBytes();
  void promptTokensShowTheirPartOfTheText();
  void byteSpansBecomeSpansOfCodeUnits();
  void givesASplitCharacterToItsFirstToken();
  void spansBeyondTheTextAreCut();
  void theBracketLiesAlongTheLowerEdge();
  void aPartOfABracketHasOnlyTheGivenEnds();
};

void tst_token_display::tokensShowTheirTextOrTheirId() {
  QCOMPARE(visibleToken(" a\n", TokenId(42)), QStringLiteral("·a↵"));
  QCOMPARE(visibleToken("𝄞", TokenId(42)), QStringLiteral("𝄞"));
  QCOMPARE(visibleToken("", TokenId(42)), QStringLiteral("#42"));
}

void tst_token_display::promptTokensShowTheirPartOfTheText() {
  const Token word{TokenId(7), "▁word", {3, 8}, false};
  QCOMPARE(visibleToken(word, "one word"), QStringLiteral("·word"));
  QCOMPARE(visibleToken(Token{.id = TokenId(7)}, ""), QStringLiteral("#7"));
}

void tst_token_display::byteSpansBecomeSpansOfCodeUnits() {
  // a: 1 byte, é: 2, ∞: 3, 𝄞: 4 bytes and 2 code units.
  const QString text = QStringLiteral("aé∞𝄞b");
  const auto spans = textSpans(text, tokens({{0, 1}, {1, 3}, {3, 6}, {6, 10}, {10, 11}}));
  const std::vector<TextSpan> expected = {{0, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 6}};
  QVERIFY(spans == expected);
}

void tst_token_display::givesASplitCharacterToItsFirstToken() {
  const auto spans =
      textSpans(QStringLiteral("∞x"), tokens({{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  const std::vector<TextSpan> expected = {{0, 1}, {1, 1}, {1, 1}, {1, 2}};
  QVERIFY(spans == expected);
}

void tst_token_display::spansBeyondTheTextAreCut() {
  const auto spans = textSpans(QStringLiteral("ab"), tokens({{0, 2}, {2, 99}}));
  const std::vector<TextSpan> expected = {{0, 2}, {2, 2}};
  QVERIFY(spans == expected);
}

void tst_token_display::theBracketLiesAlongTheLowerEdge() {
  const QImage image = drawn(BracketEnds::None);
  QVERIFY(isSet(image, 10, 11) && isSet(image, 2, 11) && isSet(image, 17, 11));
  QVERIFY(!isSet(image, 1, 11) && !isSet(image, 18, 11));
  QVERIFY(!isSet(image, 10, 8) && !isSet(image, 2, 8));
}

void tst_token_display::aPartOfABracketHasOnlyTheGivenEnds() {
  QVERIFY(isSet(drawn(BracketEnds::Left), 2, 8));
  QVERIFY(!isSet(drawn(BracketEnds::Left), 17, 8));
  QVERIFY(isSet(drawn(BracketEnds::Right), 17, 8));
  QVERIFY(!isSet(drawn(BracketEnds::Right), 2, 8));
  const QImage both = drawn(BracketEnds::Both);
  QVERIFY(isSet(both, 2, 8) && isSet(both, 17, 8) && !isSet(both, 10, 8));
  QCOMPARE(bracketEnds(true, true), BracketEnds::Both);
  QCOMPARE(bracketEnds(true, false), BracketEnds::Left);
  QCOMPARE(bracketEnds(false, true), BracketEnds::Right);
  QCOMPARE(bracketEnds(false, false), BracketEnds::None);
}

void tst_token_display::candidatesShowBytesOfHalfCharacters() {
  const Choice half{.id = TokenId(7), .text = "\uFFFD", .bytes = "E2 96"};
  const Choice whole{.id = TokenId(8), .text = " a"};
  QCOMPARE(visibleToken(half), QStringLiteral("‹E2 96›"));
  QCOMPARE(visibleToken(whole), QStringLiteral("·a"));
  StepRecord step;
  step.contextual = {half, whole};
  step.patched = {whole, half};
  step.token = step.patchedToken = TokenId(7);
  step.continued = TokenId(8);
  step.tokenText = step.patchedText = "\uFFFD";
  QCOMPARE(visibleToken(step), QStringLiteral("‹E2 96›"));
  QCOMPARE(visiblePatchedToken(step), QStringLiteral("‹E2 96›"));
  step.patched.clear();  // no candidate has the bytes
  QCOMPARE(visiblePatchedToken(step), QStringLiteral("\uFFFD #7"));
}

void tst_token_display::halfACharacterIsShownByItsBytes() {
  StepRecord record;
  record.tokenText = "\uFFFD";
  record.continuedBytes = "\xE2\x82";
  QCOMPARE(visibleToken(record), QStringLiteral("‹E2 82›"));
  QCOMPARE(visibleToken(std::string("\uFFFD"), TokenId(7)), QStringLiteral("\uFFFD #7"));
  record.continuedBytes = record.tokenText = " word";
  QCOMPARE(visibleToken(record), QStringLiteral("·word"));
}

EQUIPATCH_TEST(tst_token_display)
#include "tst_token_display.moc"
