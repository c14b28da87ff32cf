// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/visible_text.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_visible_text : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void bidiControlsAreShownByCodePoint() {
    QCOMPARE(visibleCharacter("a"), std::string("a"));
    QCOMPARE(visibleCharacter("\u202E"), std::string("‹U+202E›"));
    QCOMPARE(visibleCharacter("\uFEFF"), std::string("‹U+FEFF›"));
    QCOMPARE(visibleCharacter("\x1B"), std::string("\uFFFD"));
    QCOMPARE(visibleCharacter("\u2066"), std::string("‹U+2066›"));
  }

  void showsInvisibleCharacters_data();
  void showsInvisibleCharacters();
  void tokensShowTheirPartOfTheText();
  void tokensWithoutTextShowTheirPiece();
  void quotedTokensShowALeadingSpaceIfNeeded();
  void bytesAreWrittenInHexadecimal() {
    QCOMPARE(hexadecimalText("\xE2\x96"), std::string("E2 96"));
    QCOMPARE(hexadecimalText(std::string_view("\0A", 2)), std::string("00 41"));
    QCOMPARE(hexadecimalText(""), std::string());
    for (const std::string bytes : {"\xE2\x96", "A", ""})
      QCOMPARE(bytesOfHexadecimal(hexadecimalText(bytes)), std::optional(bytes));
    for (const char* other : {"E", "E2 9", "E296", "e2", "E2 ", "E2  96", "-1", "xy"})
      QVERIFY(!bytesOfHexadecimal(other));
  }

  void labelsShowInvisibleCharacters_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("label");
    QTest::newRow("word") << QByteArray("Mars") << QByteArray("Mars");
    QTest::newRow("space before") << QByteArray(" Mars") << QByteArray("Mars");
    QTest::newRow("a space") << QByteArray(" ") << QByteArray("·");
    QTest::newRow("space after") << QByteArray("a ") << QByteArray("a·");
    QTest::newRow("line break") << QByteArray("\n\t") << QByteArray("↵→");
    QTest::newRow("half a character") << QByteArray("\xE2\x80") << QByteArray("‹E2 80›");
    QTest::newRow("control") << QByteArray("a\x01") << QByteArray("a\uFFFD");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("long") << QByteArray("ααααααααααααααα")
                          << QByteArray("αααααααααααααα…");
  }

  void labelsShowInvisibleCharacters() {
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(tokenLabel(text.toStdString())), "label");
  }
};

void tst_visible_text::showsInvisibleCharacters_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("shown");
  QTest::newRow("nothing") << QByteArray() << QByteArray();
  QTest::newRow("plain") << QByteArray("word") << QByteArray("word");
  QTest::newRow("leading") << QByteArray(" a b") << QByteArray("·a b");
  QTest::newRow("trailing") << QByteArray("a ") << QByteArray("a·");
  QTest::newRow("only spaces") << QByteArray("  ") << QByteArray("··");
  QTest::newRow("line break") << QByteArray("\n") << QByteArray("↵");
  QTest::newRow("tab") << QByteArray("\t") << QByteArray("→");
  QTest::newRow("control") << QByteArray("a\x07") << QByteArray("a\uFFFD");
  QTest::newRow("C1 control") << QByteArray("\xC2\x85") << QByteArray("\uFFFD");
  QTest::newRow("joiner alone") << QByteArray("\u200D") << QByteArray("‹U+200D›");
  QTest::newRow("joiner in a word") << QByteArray("a\u200Db") << QByteArray("a\u200Db");
  QTest::newRow("direction") << QByteArray("a\u202Eb") << QByteArray("a‹U+202E›b");
  QTest::newRow("separator") << QByteArray("a\u2028b") << QByteArray("a‹U+2028›b");
  QTest::newRow("no-break space") << QByteArray("\u00A0") << QByteArray("‹U+00A0›");
  QTest::newRow("wide space") << QByteArray("\u3000") << QByteArray("‹U+3000›");
  QTest::newRow("inner wide space") << QByteArray("a\u3000b") << QByteArray("a\u3000b");
  QTest::newRow("thin space") << QByteArray("\u2009") << QByteArray("‹U+2009›");
  QTest::newRow("half a character") << QByteArray(" \xE2\x80") << QByteArray("·‹E2 80›");
  QTest::newRow("four bytes") << QByteArray("𝄞") << QByteArray("𝄞");
}

void tst_visible_text::showsInvisibleCharacters() {
  QFETCH(QByteArray, text);
  QTEST(QByteArray::fromStdString(visibleText(text.toStdString())), "shown");
}

void tst_visible_text::tokensShowTheirPartOfTheText() {
  const Token token{TokenId(5), "Ġword", {3, 8}, false};
  QCOMPARE(visibleText(token, "one word"), std::string("·word"));
}

void tst_visible_text::tokensWithoutTextShowTheirPiece() {
  QCOMPARE(visibleText({TokenId(2), "<bos>", {}, true}, "one"), std::string("<bos>"));
  QCOMPARE(visibleText({TokenId(5), "▁word", {}, false}, ""), std::string("·word"));
  QCOMPARE(textOfPiece("▁a▁b"), std::string(" a b"));
  // A span that ends beyond the text is ignored.
  QCOMPARE(visibleText({TokenId(5), "▁word", {3, 8}, false}, "one"),
           std::string("·word"));
}

void tst_visible_text::quotedTokensShowALeadingSpaceIfNeeded() {
  using Texts = std::vector<std::string>;
  QVERIFY(quotedTokens({" cat", " cat", "\n"}) == (Texts{"“cat”", "“cat”", "“↵”"}));
  QVERIFY(quotedTokens({" cat", "cat", "dog"}) == (Texts{"“·cat”", "“cat”", "“dog”"}));
  QVERIFY(quotedTokens({}).empty());
}

EQUIPATCH_TEST(tst_visible_text)
#include "tst_visible_text.moc"
