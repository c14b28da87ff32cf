// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/settings.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_token_sequence : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void newWordsGetTheNextId();
  void tooFewOrTooManyWordsAreRefused();
};

void tst_token_sequence::newWordsGetTheNextId() {
  const TokenSequence sequence = readTokens("  the cat\tthe\n dog ");
  QCOMPARE(sequence.vocabulary, (std::vector<std::string>{"the", "cat", "dog"}));
  QCOMPARE(sequence.ids, (std::vector<std::int64_t>{0, 1, 0, 2}));
}

void tst_token_sequence::tooFewOrTooManyWordsAreRefused() {
  QVERIFY_ERROR(readTokens(" one "), "2 to 512 words", "found 1");
  QVERIFY_ERROR(readTokens(""), "found 0");
  std::string many;
  for (int word = 0; word < 513; ++word) many += "a ";
  QVERIFY_ERROR(readTokens(many), "found 513");
}

EQUIPATCH_TEST(tst_token_sequence)
#include "tst_token_sequence.moc"
