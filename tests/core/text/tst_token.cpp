// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/token.h"

#include "core/text/aligned_text.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_token : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void namesTheByteThatIsNotUtf8();
  void refusesTextsThatAreTooLong();
  void closesGapsBetweenSpans();
  void refusesNegativeIds();
};

void tst_token::namesTheByteThatIsNotUtf8() {
  requireTokenizable("");
  requireTokenizable("naïve 🤗");
  QVERIFY_ERROR(requireTokenizable("ab\xFF"), "UTF-8", "byte 2");
  QVERIFY_ERROR(requireTokenizable("caf\xC3"), "byte 3");
}

void tst_token::refusesTextsThatAreTooLong() {
  QVERIFY_ERROR(requireTokenizable(std::string(AlignedText::kLargestSize + 1, 'a')),
                "67108865 bytes", "at most 67108864");
}

void tst_token::closesGapsBetweenSpans() {
  std::vector<Token> tokens{{TokenId(1), "a", {2, 4}, false},
                            {TokenId(2), "b", {4, 4}, false},
                            {TokenId(3), "c", {6, 7}, false}};
  closeGaps(tokens, 9);
  QCOMPARE(tokens[0].span, (ByteSpan{0, 4}));
  QCOMPARE(tokens[1].span, (ByteSpan{4, 4}));
  QCOMPARE(tokens[2].span, (ByteSpan{4, 9}));
  closeGaps({}, 3);
}

void tst_token::refusesNegativeIds() {
  requireId(TokenId(0));
  requireId(TokenId(INT64_MAX));
  QVERIFY_ERROR(requireId(TokenId(-1)), "id -1", "0 or more");
  QCOMPARE(nameOfUnused(TokenId(50300)), std::string("<unused 50300>"));
}

EQUIPATCH_TEST(tst_token)
#include "tst_token.moc"
