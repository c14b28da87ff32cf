// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_values.h"

#include <limits>

#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_page_values : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void controlsAndInvalidBytesAreReplaced() {
    QCOMPARE(pageText("a\n\tb"), std::string("a\n\tb"));
    QCOMPARE(pageText("a\r\x1B[0m\x7F\xC2\x85z"),
             std::string("a\uFFFD\uFFFD[0m\uFFFD\uFFFDz"));
    QCOMPARE(pageText("a\xE2\x82z"), std::string("a\uFFFDz"));
    QCOMPARE(pageText("日本 🙂 é"), std::string("日本 🙂 é"));
  }

  void charactersThatChangeTheLineAreShownByTheirCodes() {
    QCOMPARE(pageText("\u202Egnp.\u202C"), std::string("‹U+202E›gnp.‹U+202C›"));
    QCOMPARE(
        pageText("\u2066\u2069\u200E\u200F\u061C\u2028\u2029\uFEFF"),
        std::string("‹U+2066›‹U+2069›‹U+200E›‹U+200F›‹U+061C›‹U+2028›‹U+2029›‹U+FEFF›"));
    // Joiners stay, because they are parts of words and of emoji.
    QCOMPARE(pageText("👩\u200D🔬 می\u200Cخواهم"), std::string("👩\u200D🔬 می\u200Cخواهم"));
  }

  void everyTokenIsShownAsVisibleText() {
    QCOMPARE(pageToken(" cat", TokenId(5)), std::string("·cat"));
    QCOMPARE(pageToken("", TokenId(5)), std::string("#5"));
    QCOMPARE(pageToken("\n", TokenId(5)), std::string("↵"));
    QCOMPARE(pageToken("\x01", TokenId(5)), std::string("\uFFFD #5"));
    QCOMPARE(pageToken("\xE2\x82", TokenId(5)), std::string("‹E2 82›"));
    QCOMPARE(pageToken("\u202E", TokenId(5)), std::string("‹U+202E›"));
  }

  void pagesShowTheTokenThatContinuesTheText() {
    StepRecord step = *equipatch::test::makeRecord(0);
    QCOMPARE(pageToken(step), std::string("·Once"));
    step.continuedBytes = "\xE2\x82";
    QCOMPARE(pageToken(step), std::string("‹E2 82›"));
    step.continuedBytes.clear();
    step.patchedToken = step.continued = TokenId(step.token.value + 1);
    step.patchedText = " Venus";  // a free run continues with the patched pass's token
    QCOMPARE(pageToken(step), std::string("·Venus"));
  }

  void promptTokensShowTheirTextPieceOrId() {
    const std::string prompt = "a\nb é";
    const auto token = [](std::size_t begin, std::size_t end) {
      return Token{.id = TokenId(7), .piece = "▁piece", .span = {begin, end}};
    };
    QCOMPARE(pageToken(token(0, 3), prompt), std::string("a\nb"));
    QCOMPARE(pageToken(token(3, 5), prompt), std::string("·‹C3›"));
    QCOMPARE(pageToken(token(0, 0), prompt), std::string("·piece"));
    QCOMPARE(pageToken(token(3, 99), prompt), std::string("·piece"));
    QCOMPARE(pageToken(Token{.id = TokenId(7)}, ""), std::string("#7"));
  }

  void numbersHaveSevenDigits() {
    QCOMPARE(pageNumber(0.12345678901).dump(), std::string("0.1234568"));
    QCOMPARE(pageNumber(-1.5e-30).dump(), std::string("-1.5e-30"));
    QCOMPARE(pageNumber(123456789.0).get<double>(), 123456800.0);
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    QCOMPARE(pageNumbers(
                 {std::numeric_limits<double>::quiet_NaN(), kInfinite, -kInfinite, 0.0})
                 .dump(),
             std::string("[null,\"Infinity\",\"-Infinity\",0.0]"));
  }

  void jsonInAScriptCannotEndTheScript() {
    const std::string text = "</script><!-- & ' \" \u2028\u2029 ]]>";
    const std::string json = scriptJson({{text, text}});
    QVERIFY(json.find_first_of("<>&") == std::string::npos);
    QVERIFY(json.find("\u2028") == std::string::npos);
    QVERIFY(json.find("\u2029") == std::string::npos);
    QCOMPARE(PageObject::parse(json)[text].get<std::string>(), text);
    QCOMPARE(
        PageObject::parse(scriptJson({{"a", "\xFF\u202F€"}}))["a"].get<std::string>(),
        std::string("\uFFFD\u202F€"));
  }
};

EQUIPATCH_TEST(tst_page_values)
#include "tst_page_values.moc"
