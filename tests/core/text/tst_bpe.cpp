// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/bpe.h"

#include <deque>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/strings.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;

using test::ampleLimits;

class tst_bpe : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsBothSpellingsOfMerges();
  void readsMergesOfPiecesWithSpaces();
  void refusesManyAmbiguousMerges();
  void findsCharacterByteAndUnknownTokens();
  void findsJunctionsThatMergesCross();
  void refusesUnsupportedSettings();
  void refusesInvalidVocabularyIds_data();
  void refusesInvalidVocabularyIds();
  void refusesInvalidMerges_data();
  void refusesInvalidMerges();
  void mergesTheLowestRankFirst();
  void ignoreMergesLooksUpWholePreTokens();
  void fallsBackToBytes();
  void fusesUnknownCharacters();
  void dropsCharactersWithoutToken();
  void agreesWithTheDefinition_data();
  void agreesWithTheDefinition();
  void encodesLongPreTokens();
};

namespace {

Bpe parsedModel(const Json& json) {
  return Bpe::parse(&json, "f: model");
}

Json model(const Json& vocabulary, const Json& merges) {
  return {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}};
}

const Json kVocabulary{{"a", 0}, {"b", 1}, {"ab", 2}, {"abb", 3}, {"<unk>", 4}};

}  // namespace

void tst_bpe::readsBothSpellingsOfMerges() {
  const Json pairs = Json::parse(R"([["a","b"],["ab","b"]])");
  for (const Json& merges : {pairs, Json::parse(R"(["a b","ab b"])")}) {
    const Bpe bpe = parsedModel(model(kVocabulary, merges));
    QCOMPARE(bpe.merges.size(), std::size_t{2});
    const Bpe::Merge* merge = bpe.merges.find(Bpe::pairKey(2, 1));
    QVERIFY(merge);
    QCOMPARE(merge->rank, std::uint32_t{1});
    QCOMPARE(merge->result, std::uint32_t{3});
  }
  Json untyped = model(kVocabulary, pairs);
  untyped.erase("type");
  QCOMPARE(parsedModel(untyped).vocabulary.size(), std::int64_t{5});
}

void tst_bpe::readsMergesOfPiecesWithSpaces() {
  const Json vocabulary{{" ", 0}, {"  ", 1}, {"   ", 2}, {"x", 3}, {"x ", 4}};
  const Bpe bpe = parsedModel(model(vocabulary, {"   ", "x  "}));
  QVERIFY(bpe.merges.find(Bpe::pairKey(0, 0)));
  QVERIFY(bpe.merges.find(Bpe::pairKey(3, 0)));
  // Ambiguous: "␣" "␣␣" or "␣␣" "␣".
  QVERIFY_ERROR(parsedModel(model(vocabulary, {"    "})), "merge 0", "\"    \"");
}

/// Reading a merge with many spaces takes quadratic time, so the number of such merges is
/// limited.
void tst_bpe::refusesManyAmbiguousMerges() {
  std::string rest;
  for (int i = 0; i < 2000; ++i) rest += "b ";
  const Json vocabulary{{"a", 0}, {rest, 1}, {"a" + rest, 2}};
  const std::string line = "a " + rest;
  QCOMPARE(parsedModel(model(vocabulary, {line})).merges.size(), std::size_t{1});
  QVERIFY_ERROR(parsedModel(model(vocabulary, Json::array_t(40, line))), "f: model",
                "several spaces");
}

void tst_bpe::findsCharacterByteAndUnknownTokens() {
  Json json =
      model({{"a", 0}, {"é", 1}, {"🤗", 2}, {"<0xE2>", 3}, {"<unk>", 4}, {"ab", 5}},
            Json::array());
  json["unk_token"] = "<unk>";
  json["byte_fallback"] = true;
  json["fuse_unk"] = true;
  const Bpe bpe = parsedModel(json);
  QCOMPARE(bpe.characters.size(), std::size_t{3});
  QCOMPARE(*bpe.characters.find(Bpe::packed("🤗")), std::uint32_t{2});
  QCOMPARE(bpe.byteTokens[0xE2].value(), std::uint32_t{3});
  QVERIFY(!bpe.byteTokens[0]);
  QCOMPARE(bpe.unknown.value(), std::uint32_t{4});
  QVERIFY(bpe.fuseUnknown && bpe.byteFallback && !bpe.ignoreMerges);
  json["unk_token"] = "<odd>";
  QVERIFY_ERROR(parsedModel(json), "unk_token", "<odd>");
}

void tst_bpe::findsJunctionsThatMergesCross() {
  Json json = model(kVocabulary, {"a b", "ab b"});
  QVERIFY(!parsedModel(json).cutsAreSafe);  // unknown characters are dropped
  json["unk_token"] = "<unk>";
  const Bpe bpe = parsedModel(json);
  QVERIFY(bpe.cutsAreSafe);
  const auto joins = [&](const char* left, const char* right) {
    return bpe.junctions.find(Bpe::pairKey(Bpe::packed(left), Bpe::packed(right))) !=
           nullptr;
  };
  QVERIFY(joins("a", "b"));
  QVERIFY(joins("b", "b"));
  QVERIFY(!joins("b", "a"));
  json["vocab"]["a<unk>"] = 5;
  json["merges"].push_back("a <unk>");
  QVERIFY(!parsedModel(json).cutsAreSafe);
}

void tst_bpe::refusesUnsupportedSettings() {
  QVERIFY_ERROR(Bpe::parse(nullptr, "f: model"), "f: model", "missing");
  const auto with = [](const char* key, const Json& value) {
    Json json = model(kVocabulary, Json::array());
    json[key] = value;
    return json;
  };
  QVERIFY_ERROR(parsedModel(with("continuing_subword_prefix", "##")), "##");
  QVERIFY_ERROR(parsedModel(with("end_of_word_suffix", "</w>")), "</w>");
  QVERIFY_ERROR(parsedModel(with("dropout", 0.1)), "dropout");
  QVERIFY_ERROR(parsedModel(with("odd", 1)), "\"odd\"");
  QVERIFY_ERROR(parsedModel(with("fuse_unk", "yes")), "fuse_unk");
  parsedModel(with("continuing_subword_prefix", ""));
}

void tst_bpe::refusesInvalidVocabularyIds_data() {
  QTest::addColumn<QByteArray>("vocabulary");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* vocabulary, const char* part) {
    QTest::newRow(vocabulary) << QByteArray(vocabulary) << part;
  };
  row(R"({"a":-1})", "-1");
  row(R"({"a":1000000000000})", "1000000000000");
  row(R"({"a":18446744073709551615})", "18446744073709551615");
  row(R"({"a":1.5})", "1.5");
  row(R"({"a":"0"})", "integer id");
  row(R"({"a":null})", "integer id");
  row(R"({"a":0,"b":0})", "one piece for each id");
  row(R"(["a"])", "vocab");
  row(R"(null)", "vocab");
}

void tst_bpe::refusesInvalidVocabularyIds() {
  QFETCH(QByteArray, vocabulary);
  QFETCH(QString, part);
  const Json json = model(Json::parse(vocabulary.toStdString()), Json::array());
  QVERIFY_ERROR(parsedModel(json), "f: model", qPrintable(part));
}

void tst_bpe::refusesInvalidMerges_data() {
  QTest::addColumn<QByteArray>("merges");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* merges, const char* part) {
    QTest::newRow(merges) << QByteArray(merges) << part;
  };
  row(R"(["a b","a x"])", "merge 1");
  row(R"(["b a"])", "\"ba\"");  // the merged piece is missing
  row(R"(["a"])", "two pieces");
  row(R"([""])", "two pieces");
  row(R"([" b"])", "not in its vocabulary");
  row(R"(["a b b"])", "two pieces");
  row(R"([["a","b","b"]])", "two pieces");
  row(R"([["a",1]])", "two pieces");
  row(R"([3])", "two pieces");
  row(R"({"a":"b"})", "merges");
  row(R"(null)", "merges");
}

void tst_bpe::refusesInvalidMerges() {
  QFETCH(QByteArray, merges);
  QFETCH(QString, part);
  const Json json = model(kVocabulary, Json::parse(merges.toStdString()));
  QVERIFY_ERROR(parsedModel(json), "f: model", qPrintable(part));
}

namespace {

/// "piece@begin-end" of every token.
std::string encoded(BpeEncoder& encoder, const Bpe& bpe, std::string_view text) {
  std::string result;
  for (const PieceToken& token : encoder.encode(text))
    result += (result.empty() ? "" : " ") + *bpe.vocabulary.piece(token.id) + "@" +
              std::to_string(token.range.begin) + "-" + std::to_string(token.range.end);
  return result;
}

std::string encoded(const Bpe& bpe, std::string_view text) {
  BpeEncoder encoder(bpe, ampleLimits());
  return encoded(encoder, bpe, text);
}

/// Merges the adjacent pair with the lowest rank, the leftmost of equal ranks, until no
/// merge applies. Every character of the text must be in the vocabulary.
std::string encodedByDefinition(const Bpe& bpe, std::string_view text) {
  struct Part {
    std::uint32_t id;
    std::size_t begin, end;
  };
  std::vector<Part> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8Length(text[at]);
    parts.push_back({*bpe.vocabulary.find(text.substr(at, length)), at, at + length});
    at += length;
  }
  while (true) {
    const Bpe::Merge* best = nullptr;
    std::size_t where = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto* merge = bpe.merges.find(Bpe::pairKey(parts[i].id, parts[i + 1].id));
      if (merge && (!best || merge->rank < best->rank)) {
        best = merge;
        where = i;
      }
    }
    if (!best) break;
    parts[where] = {best->result, parts[where].begin, parts[where + 1].end};
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(where) + 1);
  }
  std::string result;
  for (const Part& part : parts)
    result += (result.empty() ? "" : " ") + *bpe.vocabulary.piece(part.id) + "@" +
              std::to_string(part.begin) + "-" + std::to_string(part.end);
  return result;
}

Json smallModel() {
  return Json::parse(
      R"({"vocab":{"a":0,"b":1,"c":2,"ab":3,"bc":4,"abc":5,"<unk>":6,"é":7},
                         "merges":["b c","a b","a bc"]})");
}

}  // namespace

void tst_bpe::mergesTheLowestRankFirst() {
  const Bpe bpe = parsedModel(smallModel());
  QCOMPARE(encoded(bpe, "abc"), std::string("abc@0-3"));
  QCOMPARE(encoded(bpe, "ab"), std::string("ab@0-2"));
  QCOMPARE(encoded(bpe, "aébc"), std::string("a@0-1 é@1-3 bc@3-5"));
  QCOMPARE(encoded(bpe, ""), std::string());
}

void tst_bpe::ignoreMergesLooksUpWholePreTokens() {
  Json json = smallModel();
  json["merges"] = Json::array();
  QCOMPARE(encoded(parsedModel(json), "abc"), std::string("a@0-1 b@1-2 c@2-3"));
  json["ignore_merges"] = true;
  QCOMPARE(encoded(parsedModel(json), "abc"), std::string("abc@0-3"));
  QCOMPARE(encoded(parsedModel(json), "abca"), std::string("a@0-1 b@1-2 c@2-3 a@3-4"));
}

void tst_bpe::fallsBackToBytes() {
  Json json = smallModel();
  json["byte_fallback"] = true;
  json["unk_token"] = "<unk>";
  json["vocab"]["<0xC3>"] = 10;
  json["vocab"]["<0xBC>"] = 11;
  const Bpe bpe = parsedModel(json);
  QCOMPARE(encoded(bpe, "aüb"), std::string("a@0-1 <0xC3>@1-2 <0xBC>@2-3 b@3-4"));
  // One byte of "À" has no token.
  QCOMPARE(encoded(bpe, "aÀb"), std::string("a@0-1 <unk>@1-3 b@3-4"));
}

void tst_bpe::fusesUnknownCharacters() {
  Json json = smallModel();
  json["unk_token"] = "<unk>";
  QCOMPARE(encoded(parsedModel(json), "xüa"), std::string("<unk>@0-1 <unk>@1-3 a@3-4"));
  json["fuse_unk"] = true;
  const Bpe bpe = parsedModel(json);
  QVERIFY(bpe.cutsAreSafe);
  BpeEncoder encoder(bpe, ampleLimits());
  for (int again = 0; again < 2; ++again)
    QCOMPARE(encoded(encoder, bpe, "xüaz"), std::string("<unk>@0-3 a@3-4 <unk>@4-5"));
  // A merge with "<unk>" makes cuts unsafe.
  json["vocab"]["a<unk>"] = 20;
  json["merges"].push_back("a <unk>");
  QCOMPARE(encoded(parsedModel(json), "xübaxü"),
           std::string("<unk>@0-3 b@3-4 a<unk>@4-8"));
}

void tst_bpe::dropsCharactersWithoutToken() {
  // As in Hugging Face's library, the remaining symbols become neighbours.
  QCOMPARE(encoded(parsedModel(smallModel()), "axb"), std::string("ab@0-3"));
}

void tst_bpe::agreesWithTheDefinition_data() {
  QTest::addColumn<bool>("cuts");
  QTest::newRow("cut where no merge reaches") << true;
  QTest::newRow("in one piece") << false;
}

void tst_bpe::agreesWithTheDefinition() {
  QFETCH(bool, cuts);
  std::mt19937 random(cuts ? 1 : 2);
  const std::string letters[] = {"a", "b", "c", "é", "▁"};
  for (int round = 0; round < 200; ++round) {
    Json json{{"vocab", {{"<unk>", 0}}}, {"merges", Json::array()}};
    if (cuts) json["unk_token"] = "<unk>";
    std::vector<std::string> pieces(std::begin(letters), std::end(letters));
    for (const std::string& piece : pieces) json["vocab"][piece] = json["vocab"].size();
    for (int i = 0; i < 12; ++i) {
      const std::string left = pieces[random() % pieces.size()];
      const std::string right = pieces[random() % pieces.size()];
      if (json["vocab"].contains(left + right)) continue;
      json["vocab"][left + right] = json["vocab"].size();
      json["merges"].push_back({left, right});
      pieces.push_back(left + right);
    }
    const Bpe bpe = parsedModel(json);
    QCOMPARE(bpe.cutsAreSafe, cuts);
    std::deque<std::string> texts;  // the encoder caches views of these texts
    BpeEncoder encoder(bpe, ampleLimits());
    for (int i = 0; i < 20; ++i) {
      std::string& text = texts.emplace_back();
      for (std::size_t k = random() % 40; k > 0; --k) text += letters[random() % 5];
      QCOMPARE(encoded(encoder, bpe, text), encodedByDefinition(bpe, text));
    }
  }
}

/// A quadratic encoder would take hours.
void tst_bpe::encodesLongPreTokens() {
  Json json{{"vocab", {{"a", 0}}}, {"merges", Json::array()}};
  std::string piece = "a";
  for (int i = 1; i < 10; ++i) {
    json["merges"].push_back({piece, piece});
    piece += piece;
    json["vocab"][piece] = i;
  }
  const Bpe bpe = parsedModel(json);
  BpeEncoder encoder(bpe, ampleLimits());
  const std::string text(1'000'000, 'a');
  const auto& tokens = encoder.encode(text);
  QCOMPARE(tokens.size(), std::size_t{1'000'000 / 512 + 1});  // the last has 64 bytes
  QCOMPARE(tokens.back().range.end, std::size_t{1'000'000});
}

EQUIPATCH_TEST(tst_bpe)
#include "tst_bpe.moc"
