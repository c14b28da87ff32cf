// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>
#include <stop_token>
#include <thread>

#include "core/text/pipeline/decoder.h"
#include "core/text/pipeline/pipeline_tokenizer.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;

/// Limits on the memory and time that a malicious tokenizer can take.
class tst_hostile_tokenizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void boundsGrowthOfNormalizedText_data();
  void boundsGrowthOfNormalizedText();
  void boundsNestedByteLevels();
  void boundsGrowthOverAllPartsOfAText();
  void boundsGrowthOfNormalizedAddedTokens();
  void boundsGrowthOfDecodedText();
  void refusesManyComponents();
  void refusesDeepNesting();
  void boundsTheTotalSizeOfPieces();
  void boundsTheSizeOfPiecesAroundAText();
  void boundsRegexSearches();
  void searchesLiteralsInLinearTime();
  void mergesAWordInLittleTime();
  void endsOnAStopRequest();
  void acceptsTheGrowthOfPublishedTokenizers();
};

namespace {

Json replacing(const Json& pattern, const std::string& content) {
  return {{"type", "Replace"}, {"pattern", pattern}, {"content", content}};
}

Json sequenceOf(const char* key, const Json& component, int count) {
  Json list = Json::array();
  for (int i = 0; i < count; ++i) list.push_back(component);
  return {{"type", "Sequence"}, {key, list}};
}

/// A tokenizer with `part` under `key`, whose model makes every character one token.
Json tokenizerWith(const char* key, const Json& part) {
  Json json{{"model",
             {{"type", "BPE"},
              {"unk_token", "?"},
              {"vocab", {{"?", 0}, {"a", 1}}},
              {"merges", Json::array()}}}};
  json[key] = part;
  return json;
}

std::size_t tokensOf(const Json& json, std::string_view text) {
  return TokenizerJson(json.dump(), {}, "tokenizer.json")
      .encode(text, SpecialTokens::Omit)
      .size();
}

}  // namespace

void tst_hostile_tokenizer::boundsGrowthOfNormalizedText_data() {
  QTest::addColumn<QByteArray>("normalizer");
  const auto row = [](const char* name, const Json& component, int count) {
    QTest::newRow(name) << QByteArray::fromStdString(
        sequenceOf("normalizers", component, count).dump());
  };
  row("tenfold", replacing({{"String", "a"}}, "aaaaaaaaaa"), 4);
  row("empty matches", replacing({{"Regex", ""}}, "a"), 12);
  row("one long content", replacing({{"Regex", "^"}}, std::string(1 << 20, 'a')), 1);
  row("prefixes", {{"type", "Prepend"}, {"prepend", std::string(10'000, 'a')}}, 100);
}

void tst_hostile_tokenizer::boundsGrowthOfNormalizedText() {
  QFETCH(QByteArray, normalizer);
  const Json json = tokenizerWith("normalizer", Json::parse(normalizer.toStdString()));
  QVERIFY_ERROR(tokensOf(json, std::string(1000, 'a')),
                "tokenizer.json: normalizer of type Sequence, component of type",
                "65024 bytes");
}

void tst_hostile_tokenizer::boundsNestedByteLevels() {
  const Json nested =
      tokenizerWith("normalizer", sequenceOf("normalizers", {{"type", "ByteLevel"}}, 40));
  QVERIFY_ERROR(tokensOf(nested, "ééééééééééééééé"),
                "normalizer of type Sequence, component of type ByteLevel",
                "grows to more than");
  const Json cuts =
      tokenizerWith("pre_tokenizer",
                    sequenceOf("pretokenizers",
                               {{"type", "ByteLevel"}, {"add_prefix_space", true}}, 40));
  QVERIFY_ERROR(tokensOf(cuts, std::string(1000, 'a') + "é"),
                "pre_tokenizer of type Sequence, component of type ByteLevel",
                "grows to more than");
}

void tst_hostile_tokenizer::boundsGrowthOverAllPartsOfAText() {
  Json json = tokenizerWith("normalizer",
                            {{"type", "Prepend"}, {"prepend", std::string(900, 'a')}});
  json["added_tokens"] = {{{"id", 2}, {"content", "<s>"}, {"special", true}}};
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a<s>";
  QVERIFY_ERROR(tokensOf(json, text), "tokenizer.json: normalizer of type Prepend",
                "grows to more than");
}

void tst_hostile_tokenizer::boundsGrowthOfNormalizedAddedTokens() {
  Json json = tokenizerWith("normalizer",
                            {{"type", "Prepend"}, {"prepend", std::string(900, 'a')}});
  for (int id = 2; id < 1000; ++id)
    json["added_tokens"].push_back({{"id", id}, {"content", std::to_string(id)}});
  QVERIFY_ERROR(tokensOf(json, "a"), "normalizer of type Prepend", "grows to more than");
}

void tst_hostile_tokenizer::boundsGrowthOfDecodedText() {
  const Json json = sequenceOf("decoders", replacing({{"String", "a"}}, "aaaaaaaaaa"), 8);
  const auto decoder = Decoder::parse(&json, "f: decoder");
  QVERIFY_ERROR(decoder->apply({"a", "a", "a"}), "f: decoder of type Sequence",
                "grows to more than");
  QVERIFY_ERROR(decoder->surface("a"), "f: decoder of type Sequence",
                "grows to more than");
}

void tst_hostile_tokenizer::refusesManyComponents() {
  for (const auto& [part, list, component] :
       {std::tuple{"normalizer", "normalizers", "NFC"},
        std::tuple{"pre_tokenizer", "pretokenizers", "Digits"},
        std::tuple{"decoder", "decoders", "Fuse"},
        std::tuple{"post_processor", "processors", "ByteLevel"}})
    QVERIFY_ERROR(
        tokensOf(tokenizerWith(part, sequenceOf(list, {{"type", component}}, 1000)), "a"),
        QString("tokenizer.json: %1 of type Sequence").arg(part), "1000 components");
}

void tst_hostile_tokenizer::refusesDeepNesting() {
  Json nested{{"type", "ByteLevel"}};
  for (int i = 0; i < 40; ++i) nested = sequenceOf("normalizers", nested, 1);
  QVERIFY_ERROR(tokensOf(tokenizerWith("normalizer", nested), "a"),
                "tokenizer.json: normalizer of type Sequence nests", "40 deep");
}

void tst_hostile_tokenizer::boundsTheTotalSizeOfPieces() {
  const std::string unknown(8000, '?');
  const Json json{{"model",
                   {{"type", "BPE"},
                    {"unk_token", unknown},
                    {"vocab", {{unknown, 0}, {"a", 1}}},
                    {"merges", Json::array()}}}};
  QCOMPARE(tokensOf(json, "bcd"), std::size_t{3});
  QVERIFY_ERROR(tokensOf(json, std::string(1000, 'b')), "pieces of this text's tokens");
}

void tst_hostile_tokenizer::boundsTheSizeOfPiecesAroundAText() {
  const std::string name(8000, 's');
  Json json = tokenizerWith("normalizer", nullptr);
  json["added_tokens"] = {{{"id", 2}, {"content", name}, {"special", true}}};
  json["post_processor"] = {
      {"type", "TemplateProcessing"},
      {"single", {{{"SpecialToken", {{"id", "s"}}}}, {{"Sequence", {{"id", "A"}}}}}},
      {"special_tokens", {{"s", {{"ids", Json::array_t(100, 2)}}}}}};
  QVERIFY_ERROR(
      TokenizerJson(json.dump(), {}, "tokenizer.json").encode("a", SpecialTokens::Add),
      "pieces of this text's tokens");
}

void tst_hostile_tokenizer::searchesLiteralsInLinearTime() {
  const std::string pattern = std::string(500'000, 'a') + "b";
  const Json json = tokenizerWith("normalizer", replacing({{"String", pattern}}, "x"));
  QCOMPARE(tokensOf(json, std::string(2'000'000, 'a')), std::size_t{2'000'000});
}

/// Every merge invalidates the merge candidates of its neighbours.
void tst_hostile_tokenizer::mergesAWordInLittleTime() {
  Json json{{"model", {{"type", "BPE"}, {"vocab", {{"a", 0}}}, {"merges", {}}}}};
  for (int length = 2; length <= 1000; ++length) {
    const std::string piece(static_cast<std::size_t>(length - 1), 'a');
    json["model"]["vocab"][piece + "a"] = length - 1;
    json["model"]["merges"].push_back({piece, "a"});
  }
  QCOMPARE(tokensOf(json, std::string(2'000'000, 'a')), std::size_t{1'000'000});
}

/// The first call is usually stopped while it runs, the second before it begins.
void tst_hostile_tokenizer::endsOnAStopRequest() {
  const TokenizerJson tokenizer(
      tokenizerWith("pre_tokenizer", {{"type", "Split"},
                                      {"pattern", {{"Regex", "(a+)+[xy]"}}},
                                      {"behavior", "Isolated"}})
          .dump(),
      {}, "tokenizer.json");
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "aaaaaaaaaaaaaaaaa b";
  std::stop_source stop;
  std::jthread other([&] { stop.request_stop(); });
  QVERIFY_ERROR(tokenizer.encode(text, SpecialTokens::Omit, stop.get_token()),
                "stopped on request");
  QVERIFY_ERROR(tokenizer.encode(text, SpecialTokens::Omit, stop.get_token()),
                "stopped on request");
}

void tst_hostile_tokenizer::boundsRegexSearches() {
  const auto split = [](const char* pattern) {
    return tokenizerWith(
        "pre_tokenizer",
        {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}});
  };
  for (const char* pattern : {"(a+)+[xy]", "(a|aa)+[xy]", "(a(?1)?b?)+[xy]"})
    QVERIFY_ERROR(tokensOf(split(pattern), std::string(60, 'a')),
                  "tokenizer.json: pre_tokenizer of type Split", pattern, "gave up");
  // Even a text of 23 bytes exceeds the bound.
  QVERIFY_ERROR(tokensOf(split("(a+)+[xy]"), std::string(23, 'a')), "gave up");
}

/// Extremes of published tokenizers: U+FDFA grows most, under NFKC; a Replace has most
/// matches in a text of spaces.
void tst_hostile_tokenizer::acceptsTheGrowthOfPublishedTokenizers() {
  Json json = tokenizerWith("normalizer", {{"type", "NFKC"}});
  json["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", true}};
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "\uFDFA";
  QVERIFY(tokensOf(json, text) > 100'000);
  json = tokenizerWith("normalizer", replacing({{"String", " "}}, "▁"));
  QCOMPARE(tokensOf(json, std::string(10'000, ' ')), std::size_t{10'000});
}

EQUIPATCH_TEST(tst_hostile_tokenizer)
#include "tst_hostile_tokenizer.moc"
