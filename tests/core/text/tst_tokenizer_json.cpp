// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/pipeline_tokenizer.h"

#include <nlohmann/json.hpp>
#include <random>

#include "tests/core/text/large_tokenizer.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;
using Ids = std::vector<std::int64_t>;

class tst_tokenizer_json : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void agreesWithTheReference_data();
  void agreesWithTheReference();
  void givesEveryByteToOneToken();
  void givesBytesOfSplitCharactersToTheirTokens();
  void thePrependedSpaceCoversNoBytesOfTheText();
  void marksSpecialTokens();
  void surfacesOfTokensGiveTheText();
  void configDecidesTheFrameWithoutATemplate();
  void survivesHolesInTheIds();
  void idsWithoutAPieceAreShownAsUnused();
  void namesInvalidUtf8();
  void encodesAMegabyte_data();
  void encodesAMegabyte();
  void refusesUnknownComponents_data();
  void refusesUnknownComponents();
  void loadsAFileOfGemma3sSize();
  void survivesDamagedFiles();
};

namespace {

constexpr const char* kStyles[] = {"byte_level", "metaspace", "unigram", "unigram_words"};
/// Styles whose tokens preserve the whole text.
constexpr const char* kCompleteStyles[] = {"byte_level", "metaspace"};

std::filesystem::path folderOf(const std::string& style) {
  return data("tokenizers") / style;
}

std::string bytesOf(const std::string& style) {
  return readBytes(folderOf(style) / "tokenizer.json");
}

TokenizerJson opened(const std::string& style) {
  return {bytesOf(style), {}, "tokenizer.json"};
}

Json jsonOf(const std::string& style) {
  return Json::parse(bytesOf(style));
}

TokenizerJson made(const Json& json, const TokenizerConfig& config = {}) {
  return {json.dump(), config, "tokenizer.json"};
}

std::string randomCharacters(std::mt19937& random) {
  static const std::string parts[] = {"the ",   "cat",      " ",
                                      "  ",     "é",        "e\u0301",
                                      "日本",   "🤗",     "\n",
                                      "12",     "'s",       "▁",
                                      "\t",     "<s>",      std::string("\0x", 2),
                                      "\u00A0", "<|turn|>", "A\u030A\u0323",
                                      "       "};
  std::string text;
  for (std::size_t i = random() % 12; i > 0; --i)
    text += parts[random() % std::size(parts)];
  return text;
}

}  // namespace

void tst_tokenizer_json::agreesWithTheReference_data() {
  QTest::addColumn<QString>("style");
  for (const char* style : kStyles) QTest::newRow(style) << style;
}

/// The golden files were written by Hugging Face's tokenizers.
void tst_tokenizer_json::agreesWithTheReference() {
  QFETCH(QString, style);
  const TokenizerJson tokenizer = opened(style.toStdString());
  const auto lines = readGolden(folderOf(style.toStdString()) / "golden.jsonl");
  QVERIFY(lines.size() > 40);
  for (const GoldenLine& line : lines) {
    const auto tokens = tokenizer.encode(line.text, SpecialTokens::Add);
    QCOMPARE(idsOf(tokens), line.ids);
    // For text without a piece, Hugging Face's Unigram returns this text, not "<unk>".
    if (!style.startsWith("unigram"))
      QCOMPARE(piecesOf(tokens), line.all["tokens"].get<std::vector<std::string>>());
    QCOMPARE(
        QString::fromStdString(tokenizer.decode(toIds(line.ids), SpecialTokens::Omit)),
        QString::fromStdString(line.all["decoded"].get<std::string>()));
  }
}

void tst_tokenizer_json::givesEveryByteToOneToken() {
  std::mt19937 random(11);
  for (const char* style : kStyles) {
    const TokenizerJson tokenizer = opened(style);
    for (int i = 0; i < 500; ++i) {
      const std::string text = randomCharacters(random);
      auto tokens = tokenizer.encode(text, SpecialTokens::Add);
      const auto bare = tokenizer.encode(text, SpecialTokens::Omit);
      // If the tokenizer removes the whole text, no token can have its bytes.
      if (bare.empty()) continue;
      QVERIFY2(isPartition(tokens, text.size()), text.c_str());
      tokens.erase(std::string_view(style).starts_with("unigram") ? tokens.end() - 1
                                                                  : tokens.begin());
      QCOMPARE(tokens, bare);
    }
  }
}

void tst_tokenizer_json::givesBytesOfSplitCharactersToTheirTokens() {
  for (const char* style : {"byte_level", "metaspace", "unigram"}) {
    const auto tokens = opened(style).encode("x🤗", SpecialTokens::Omit);
    std::vector<ByteSpan> spans;
    for (std::size_t i = tokens.size() - 4; i < tokens.size(); ++i)
      spans.push_back(tokens[i].span);
    QCOMPARE(spans, (std::vector<ByteSpan>{{1, 2}, {2, 3}, {3, 4}, {4, 5}}));
  }
  // The normalizer composes three bytes of text into two, each of which has a token.
  const auto tokens = opened("byte_level").encode("e\u0301", SpecialTokens::Omit);
  QCOMPARE(tokens.size(), std::size_t{2});
  QCOMPARE(tokens[0].span, (ByteSpan{0, 1}));
  QCOMPARE(tokens[1].span, (ByteSpan{1, 3}));
}

void tst_tokenizer_json::thePrependedSpaceCoversNoBytesOfTheText() {
  const auto tokens = opened("metaspace").encode("🤗", SpecialTokens::Omit);
  QCOMPARE(tokens.front().piece, std::string("▁"));
  QCOMPARE(tokens.front().span, (ByteSpan{0, 0}));
  const auto word = opened("metaspace").encode("the", SpecialTokens::Omit);
  QCOMPARE(word.front().span.begin, std::size_t{0});
  QCOMPARE(word.back().span.end, std::size_t{3});
}

void tst_tokenizer_json::marksSpecialTokens() {
  const TokenizerJson tokenizer = opened("byte_level");
  const auto tokens = tokenizer.encode("a<|end|><|turn|>", SpecialTokens::Add);
  QCOMPARE(piecesOf(tokens),
           (std::vector<std::string>{"<|begin|>", "a", "<|end|>", "<|turn|>"}));
  QVERIFY(tokens[0].special && tokens[0].span.empty());
  QVERIFY(!tokens[1].special);
  QVERIFY(tokens[2].special);
  QCOMPARE(tokens[2].span, (ByteSpan{1, 8}));
  QVERIFY(!tokens[3].special);
  const auto ids = toIds(idsOf(tokens));
  QCOMPARE(tokenizer.decode(ids, SpecialTokens::Omit), std::string("a<|turn|>"));
  QCOMPARE(tokenizer.decode(ids, SpecialTokens::Add),
           std::string("<|begin|>a<|end|><|turn|>"));
}

void tst_tokenizer_json::surfacesOfTokensGiveTheText() {
  const TokenizerJson metaspace = opened("metaspace");
  QCOMPARE(metaspace.surface(TokenId(1)), std::string("<s>"));
  QCOMPARE(metaspace.surface(TokenId(3 + 0xE2)), std::string("\xE2"));
  QCOMPARE(metaspace.piece(TokenId(3 + 0xE2)), std::string("<0xE2>"));
  QCOMPARE(metaspace.surface(TokenId(259)), std::string(" "));
  std::mt19937 random(5);
  const TokenizerJson byteLevel = opened("byte_level");
  for (int i = 0; i < 100; ++i) {
    const std::string text = randomCharacters(random) + "é";
    if (text.find("\u0301") != std::string::npos ||
        text.find("\u030A") != std::string::npos)
      continue;  // the normalizer composes these accents
    std::string surfaces;
    for (const Token& token : byteLevel.encode(text, SpecialTokens::Omit))
      surfaces += byteLevel.surface(token.id);
    QCOMPARE(surfaces, text);
  }
}

void tst_tokenizer_json::configDecidesTheFrameWithoutATemplate() {
  TokenizerConfig config{
      .addBos = true, .addEos = true, .bosToken = "<s>", .eosToken = "</s>"};
  Json json = jsonOf("metaspace");
  const auto framed = [&] {
    return idsOf(made(json, config).encode("", SpecialTokens::Add));
  };
  config.addBos = false;
  config.addEos = true;
  QCOMPARE(framed(), Ids{1});  // the template decides
  json["post_processor"] = nullptr;
  QCOMPARE(framed(), Ids{2});
  config.addBos = true;
  QCOMPARE(framed(), (Ids{1, 2}));
  config.addBos.reset();
  config.addEos.reset();
  QCOMPARE(framed(), Ids{});
  config.addBos = true;
  config.bosToken = "<none>";
  QVERIFY_ERROR(made(json, config), "<none>", "tokenizer_config.json");
}

void tst_tokenizer_json::survivesHolesInTheIds() {
  Json json = jsonOf("metaspace");
  json["added_tokens"].push_back(
      {{"id", 5000}, {"content", "<far>"}, {"special", false}});
  const TokenizerJson tokenizer = made(json);
  QCOMPARE(tokenizer.size(), std::int64_t{5001});
  QCOMPARE(tokenizer.piece(TokenId(5000)), std::string("<far>"));
  QCOMPARE(tokenizer.piece(TokenId(4000)), std::string("<unused 4000>"));
  QCOMPARE(tokenizer.surface(TokenId(4000)), std::string());
  QCOMPARE(tokenizer.decode(toIds({4000, 5000}), SpecialTokens::Add),
           std::string("<far>"));
}

void tst_tokenizer_json::idsWithoutAPieceAreShownAsUnused() {
  const TokenizerJson tokenizer = opened("metaspace");
  const TokenId beyond(tokenizer.size());
  QCOMPARE(tokenizer.piece(beyond), "<unused " + std::to_string(beyond.value) + ">");
  QCOMPARE(tokenizer.surface(beyond), std::string());
  QCOMPARE(tokenizer.surface(TokenId(INT64_MAX)), std::string());
  const std::vector<TokenId> ids{TokenId(1), beyond};
  QCOMPARE(tokenizer.decode(ids, SpecialTokens::Add), std::string("<s>"));
  QVERIFY_ERROR(tokenizer.piece(TokenId(-1)), "id -1");
  QVERIFY_ERROR(tokenizer.surface(TokenId(-1)), "id -1");
  QVERIFY_ERROR(tokenizer.decode(toIds({1, -1}), SpecialTokens::Omit), "out of range");
  Json json = jsonOf("metaspace");
  json["post_processor"]["special_tokens"]["<s>"]["ids"] = {4'000'000};
  QVERIFY_ERROR(made(json), "post_processor", "4000000");
}

void tst_tokenizer_json::namesInvalidUtf8() {
  QVERIFY_ERROR(opened("byte_level").encode("ab\xE2\x82", SpecialTokens::Add), "byte 2");
}

void tst_tokenizer_json::encodesAMegabyte_data() {
  QTest::addColumn<QString>("style");
  QTest::addColumn<QString>("unit");
  for (const char* style : kCompleteStyles)
    for (const char* unit :
         {"The cat sat on the mat. ", "a", " ", "🤗", "1", "<|turn|>"})
      QTest::addRow("%s %s", style, unit) << style << QString::fromUtf8(unit);
}

void tst_tokenizer_json::encodesAMegabyte() {
  QFETCH(QString, style);
  QFETCH(QString, unit);
  std::string text;
  while (text.size() < 1'000'000) text += unit.toStdString();
  const TokenizerJson tokenizer = opened(style.toStdString());
  const auto tokens = tokenizer.encode(text, SpecialTokens::Add);
  QVERIFY(isPartition(tokens, text.size()));
  QVERIFY(tokenizer.decode(toIds(idsOf(tokens)), SpecialTokens::Omit) == text);
}

void tst_tokenizer_json::refusesUnknownComponents_data() {
  QTest::addColumn<QByteArray>("patch");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* patch, const char* part) {
    QTest::newRow(patch) << QByteArray(patch) << part;
  };
  row(R"({"normalizer":{"type":"BertNormalizer"}})", "normalizer of type BertNormalizer");
  row(R"({"normalizer":{"type":"Precompiled","precompiled_charsmap":"%"}})", "base 64");
  row(R"({"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"}})",
      "damaged");
  row(R"({"pre_tokenizer":{"type":"UnicodeScripts"}})",
      "pre_tokenizer of type UnicodeScripts");
  row(R"({"decoder":{"type":"WordPiece"}})", "decoder of type WordPiece");
  row(R"({"post_processor":{"type":"Odd"}})", "post_processor of type Odd");
  row(R"({"model":{"type":"WordPiece"}})", "model of type WordPiece");
  row(R"({"odd_component":{}})", "odd_component");
  row(R"({"added_tokens":3})", "added_tokens");
  row(R"({"model":3})", "model");
}

void tst_tokenizer_json::refusesUnknownComponents() {
  QFETCH(QByteArray, patch);
  QFETCH(QString, part);
  Json json = jsonOf("metaspace");
  json.update(Json::parse(patch.toStdString()));
  QVERIFY_ERROR(made(json), "tokenizer.json", qPrintable(part));
  QVERIFY_ERROR(made(Json::object()), "model", "missing");
}

void tst_tokenizer_json::loadsAFileOfGemma3sSize() {
  const std::string bytes = largeTokenizerJson();
  QVERIFY(bytes.size() > 33'000'000);
  const TokenizerJson tokenizer(bytes, {}, "tokenizer.json");
  QCOMPARE(tokenizer.size(), std::int64_t{262'144});
  QCOMPARE(piecesOf(tokenizer.encode("ab<unused7>c d", SpecialTokens::Omit)),
           (std::vector<std::string>{"ab", "<unused7>", "c▁d"}));
}

void tst_tokenizer_json::survivesDamagedFiles() {
  std::mt19937 random(23);
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string bytes = bytesOf(kStyles[round % std::size(kStyles)]);
    for (std::size_t i = 1 + random() % 3; i > 0; --i) {
      const std::size_t at = random() % bytes.size();
      if (random() % 2)
        bytes[at] = "0\"{}[],:-9ea\\"[random() % 13];
      else
        bytes.erase(at, random() % 8);
    }
    const QString sentence = errorOf([&] {
      const TokenizerJson tokenizer(bytes, {}, "tokenizer.json");
      const std::string text = "The cat 🤗 <s> 12";
      const auto tokens = tokenizer.encode(text, SpecialTokens::Add);
      static_cast<void>(tokenizer.decode(toIds(idsOf(tokens)), SpecialTokens::Add));
    });
    if (!sentence.isEmpty()) {
      ++refused;
      QVERIFY2(
          sentence.contains("tokenizer.json") || sentence.contains("regular expression"),
          qPrintable(sentence));
    }
  }
  QVERIFY(refused > 100);
}

EQUIPATCH_TEST(tst_tokenizer_json)
#include "tst_tokenizer_json.moc"
