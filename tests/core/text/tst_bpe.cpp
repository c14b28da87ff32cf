// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/bpe.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_bpe : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsBothSpellingsOfMerges();
  void readsMergesOfPiecesWithSpaces();
  void refusesManyAmbiguousMerges();
  void findsCharactersBytesAndUnknown();
  void knowsWhereNoMergeReachesAcross();
  void refusesOtherModels();
  void refusesHostileIds_data();
  void refusesHostileIds();
  void refusesHostileMerges_data();
  void refusesHostileMerges();
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
  // Two ways to read it: "␣" "␣␣" or "␣␣" "␣".
  QVERIFY_ERROR(parsedModel(model(vocabulary, {"    "})), "merge 0", "\"    \"");
}

/// Reading such a merge takes quadratic time, so their number is limited.
void tst_bpe::refusesManyAmbiguousMerges() {
  std::string rest;
  for (int i = 0; i < 2000; ++i) rest += "b ";
  const Json vocabulary{{"a", 0}, {rest, 1}, {"a" + rest, 2}};
  const std::string line = "a " + rest;
  QCOMPARE(parsedModel(model(vocabulary, {line})).merges.size(), std::size_t{1});
  QVERIFY_ERROR(parsedModel(model(vocabulary, Json::array_t(40, line))), "f: model",
                "several spaces");
}

void tst_bpe::findsCharactersBytesAndUnknown() {
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

void tst_bpe::knowsWhereNoMergeReachesAcross() {
  Json json = model(kVocabulary, {"a b", "ab b"});
  QVERIFY(!parsedModel(json).cutsAreSafe);  // unknown characters would be dropped
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

void tst_bpe::refusesOtherModels() {
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

void tst_bpe::refusesHostileIds_data() {
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

void tst_bpe::refusesHostileIds() {
  QFETCH(QByteArray, vocabulary);
  QFETCH(QString, part);
  const Json json = model(Json::parse(vocabulary.toStdString()), Json::array());
  QVERIFY_ERROR(parsedModel(json), "f: model", qPrintable(part));
}

void tst_bpe::refusesHostileMerges_data() {
  QTest::addColumn<QByteArray>("merges");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* merges, const char* part) {
    QTest::newRow(merges) << QByteArray(merges) << part;
  };
  row(R"(["a b","a x"])", "merge 1");
  row(R"(["b a"])", "\"ba\"");  // the result is missing
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

void tst_bpe::refusesHostileMerges() {
  QFETCH(QByteArray, merges);
  QFETCH(QString, part);
  const Json json = model(kVocabulary, Json::parse(merges.toStdString()));
  QVERIFY_ERROR(parsedModel(json), "f: model", qPrintable(part));
}

EQUIPATCH_TEST(tst_bpe)
#include "tst_bpe.moc"
