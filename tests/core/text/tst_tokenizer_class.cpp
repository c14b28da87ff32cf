#include "core/text/tokenizer_class.h"

#include "core/text/regex.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::TextFolder;

class tst_tokenizer_class : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void isFoundByEitherName();
  void isReadFromTheConfig();
  void hasExpressionsThatCutAsTheyShould();
};

void tst_tokenizer_class::isFoundByEitherName() {
  const auto* plain = TokenizerClass::named("GPT2Tokenizer");
  QVERIFY(plain);
  QCOMPARE(TokenizerClass::named("GPT2TokenizerFast"), plain);
  QVERIFY(!plain->composes);
  QVERIFY(TokenizerClass::named("Qwen2Tokenizer")->composes);
  QVERIFY(!TokenizerClass::named("BertTokenizer"));
  QVERIFY(!TokenizerClass::named(""));
}

void tst_tokenizer_class::isReadFromTheConfig() {
  const TextFolder folder;
  QVERIFY(!TokenizerClass::of(folder.path()));
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "CodeGenTokenizer"})");
  QCOMPARE(TokenizerClass::of(folder.path())->name, "CodeGenTokenizer");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "OddTokenizer"})");
  QVERIFY(!TokenizerClass::of(folder.path()));
  QCOMPARE(TokenizerClass::nameIn(folder.path()), std::string("OddTokenizer"));
}

/// Digits and the case of contractions are what the three differ in.
void tst_tokenizer_class::hasExpressionsThatCutAsTheyShould() {
  const std::string text = "I'LL 1234";
  const auto cut = [&](const char* pattern) {
    std::string pieces;
    for (const ByteSpan& piece : Regex(pattern).matches(text))
      pieces += text.substr(piece.begin, piece.end - piece.begin) + "|";
    return pieces;
  };
  QCOMPARE(cut(kGpt2Pieces), std::string("I|'|LL| 1234|"));
  QCOMPARE(cut(kLlama3Pieces), std::string("I|'LL| |123|4|"));
  QCOMPARE(cut(kQwenPieces), std::string("I|'LL| |1|2|3|4|"));
}

EQUIPATCH_TEST(tst_tokenizer_class)
#include "tst_tokenizer_class.moc"
