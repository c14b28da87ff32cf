// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_tokenizer.h"

#include <random>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_sentencepiece_tokenizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void addsBosAndEosAsConfigured();
  void findsNoControlTokensInText();
  void findsUserDefinedTokens();
  void givesEveryByteToOneToken();
  void givesBytesOfSplitCharactersToTheirTokens();
  void theDummyPrefixCoversNoBytesOfTheText();
  void decodesWhatItEncoded_data();
  void decodesWhatItEncoded();
  void surfacesOfTokensGiveTheText();
  void refusesNegativeIdsAndInvalidUtf8();
  void refusesAddedTokensWithInvalidIds();
  void encodesAMegabyte();
  void survivesDamagedFiles();
};

namespace {

std::string modelBytes() {
  return readBytes(data("tokenizers/sentencepiece/tokenizer.model"));
}

const SentencePieceTokenizer& tokenizer() {
  static const SentencePieceTokenizer instance(modelBytes(), {}, "tokenizer.model");
  return instance;
}

}  // namespace

void tst_sentencepiece_tokenizer::addsBosAndEosAsConfigured() {
  const auto framed = [](const TokenizerConfig& config) {
    return piecesOf(SentencePieceTokenizer(modelBytes(), config, "tokenizer.model")
                        .encode("", SpecialTokens::Add));
  };
  using Pieces = std::vector<std::string>;
  QCOMPARE(framed({}), Pieces{"<s>"});
  QCOMPARE(framed({.addBos = false, .addEos = true, .bosToken = {}, .eosToken = {}}),
           Pieces{"</s>"});
  QVERIFY(tokenizer().encode("", SpecialTokens::Omit).empty());
  const auto tokens = tokenizer().encode("a", SpecialTokens::Add);
  QVERIFY(tokens[0].special && tokens[0].span.empty());
  QVERIFY(!tokens[1].special);
}

void tst_sentencepiece_tokenizer::findsNoControlTokensInText() {
  const std::string text = "<s>the</s>";
  const auto tokens = tokenizer().encode(text, SpecialTokens::Omit);
  for (const Token& token : tokens)
    QVERIFY(token.piece != "<s>" && token.piece != "</s>");
  QCOMPARE(tokenizer().decode(toIds(idsOf(tokens)), SpecialTokens::Omit), text);
}

void tst_sentencepiece_tokenizer::findsUserDefinedTokens() {
  const auto tokens = tokenizer().encode("a<turn>a", SpecialTokens::Omit);
  QCOMPARE(tokens[1].piece, std::string("<turn>"));
  QCOMPARE(tokens[1].span, (ByteSpan{1, 7}));
  QVERIFY(!tokens[1].special);
}

void tst_sentencepiece_tokenizer::givesEveryByteToOneToken() {
  const std::string parts[] = {"the ",
                               "cat",
                               " ",
                               "  ",
                               "é",
                               "日本",
                               "🤗",
                               "\n",
                               "12",
                               "▁",
                               std::string(1, '\0'),
                               "<s>",
                               "<turn>",
                               "\u00A0"};
  std::mt19937 random(4);
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (std::size_t k = random() % 12; k > 0; --k)
      text += parts[random() % std::size(parts)];
    QVERIFY2(isPartition(tokenizer().encode(text, SpecialTokens::Add), text.size()),
             text.c_str());
  }
}

void tst_sentencepiece_tokenizer::givesBytesOfSplitCharactersToTheirTokens() {
  const auto tokens = tokenizer().encode("a🤗日", SpecialTokens::Omit);
  std::vector<std::string> pieces = piecesOf(tokens);
  const std::size_t first = pieces.size() - 7;
  QCOMPARE(pieces[first], std::string("<0xF0>"));
  QCOMPARE(pieces.back(), std::string("<0xA5>"));
  for (std::size_t i = 0; i < 7; ++i)
    QCOMPARE(tokens[first + i].span, (ByteSpan{1 + i, 2 + i}));
}

void tst_sentencepiece_tokenizer::theDummyPrefixCoversNoBytesOfTheText() {
  const auto tokens = tokenizer().encode("🤗", SpecialTokens::Omit);
  QCOMPARE(tokens.front().piece, std::string("▁"));
  QVERIFY(tokens.front().span.empty());
}

void tst_sentencepiece_tokenizer::decodesWhatItEncoded_data() {
  QTest::addColumn<QByteArray>("text");
  int number = 0;
  for (const QByteArray& text :
       {QByteArray(""), QByteArray(" "), QByteArray("   "), QByteArray("the cat"),
        QByteArray(" the  cat "), QByteArray("a\0b", 3), QByteArray("\n\n\t"),
        QByteArray("Zürich 日本 🤗"), QByteArray("12 345")})
    QTest::addRow("text %d", ++number) << text;
}

void tst_sentencepiece_tokenizer::decodesWhatItEncoded() {
  QFETCH(QByteArray, text);
  const auto tokens = tokenizer().encode(text.toStdString(), SpecialTokens::Add);
  QCOMPARE(tokenizer().decode(toIds(idsOf(tokens)), SpecialTokens::Omit),
           text.toStdString());
}

void tst_sentencepiece_tokenizer::surfacesOfTokensGiveTheText() {
  QCOMPARE(tokenizer().surface(TokenId(1)), std::string("<s>"));
  QCOMPARE(tokenizer().decode(toIds({1, 0, 2}), SpecialTokens::Omit), std::string());
  QCOMPARE(tokenizer().decode(toIds({1, 2}), SpecialTokens::Add), std::string("<s></s>"));
  std::string surfaces;
  const std::string text = "the cat 🤗\n";
  for (const Token& token : tokenizer().encode(text, SpecialTokens::Omit)) {
    QCOMPARE(tokenizer().piece(token.id), token.piece);
    surfaces += tokenizer().surface(token.id);
  }
  QCOMPARE(surfaces, " " + text);
}

void tst_sentencepiece_tokenizer::refusesNegativeIdsAndInvalidUtf8() {
  QCOMPARE(tokenizer().size(), std::int64_t{400});
  QCOMPARE(tokenizer().piece(TokenId(400)), std::string("<unused 400>"));
  QCOMPARE(tokenizer().surface(TokenId(400)), std::string());
  QCOMPARE(tokenizer().decode(toIds({std::int64_t{1} << 40}), SpecialTokens::Omit),
           std::string());
  QVERIFY_ERROR(tokenizer().piece(TokenId(-1)), "id -1");
  QVERIFY_ERROR(tokenizer().surface(TokenId(-1)), "id -1");
  QVERIFY_ERROR(tokenizer().decode(toIds({-1}), SpecialTokens::Omit), "out of range");
  QVERIFY_ERROR(tokenizer().encode("ab\xFF", SpecialTokens::Add), "byte 2");
}

/// The second id is 2^63, which becomes negative as a signed number.
void tst_sentencepiece_tokenizer::refusesAddedTokensWithInvalidIds() {
  for (const char* id : {"-1", "9223372036854775808", "400.5", "null"}) {
    const Json added =
        Json::parse(R"([{"content": "<new>", "id": )" + std::string(id) + "}]");
    QVERIFY_ERROR(SentencePieceTokenizer(modelBytes(), {}, "tokenizer.model", &added),
                  "added tokens[0]", "\"id\"");
  }
}

void tst_sentencepiece_tokenizer::encodesAMegabyte() {
  std::string text;
  while (text.size() < 1'000'000) text += "the cat sat on the mat. ";
  const auto tokens = tokenizer().encode(text, SpecialTokens::Add);
  QVERIFY(isPartition(tokens, text.size()));
  QVERIFY(tokenizer().decode(toIds(idsOf(tokens)), SpecialTokens::Omit) == text);
}

void tst_sentencepiece_tokenizer::survivesDamagedFiles() {
  const std::string sound = modelBytes();
  const auto refusal = [](const std::string& bytes) {
    return errorOf([&] {
      const SentencePieceTokenizer damaged(bytes, {}, "tokenizer.model");
      const auto tokens = damaged.encode("The cät 🤗", SpecialTokens::Add);
      static_cast<void>(damaged.decode(toIds(idsOf(tokens)), SpecialTokens::Add));
    });
  };
  QVERIFY(refusal("not a model").contains("tokenizer.model"));
  QVERIFY(refusal("").contains("tokenizer.model"));
  QVERIFY(refusal(sound.substr(0, sound.size() / 2)).contains("tokenizer.model"));
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = sound;
    for (std::size_t i = 1 + random() % 3; i > 0; --i)
      bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    static_cast<void>(refusal(bytes));  // an Error or a tokenizer that works
  }
}

EQUIPATCH_TEST(tst_sentencepiece_tokenizer)
#include "tst_sentencepiece_tokenizer.moc"
