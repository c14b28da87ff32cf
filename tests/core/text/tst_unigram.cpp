#include "core/text/unigram.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_unigram : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsPiecesAndScores();
  void findsPiecesByTheirBytes();
  void refusesWhatCannotBe_data();
  void refusesWhatCannotBe();
};

namespace {

Json model() {
  return Json::parse(
      R"({"type": "Unigram", "unk_id": 0,
          "vocab": [["<unk>", 0], ["a", -1.5], ["ab", -2], ["é", -7.25], ["", -1],
                    ["<0x0A>", -3]]})");
}

}  // namespace

void tst_unigram::readsPiecesAndScores() {
  Json json = model();
  Unigram unigram = Unigram::parse(json, "f");
  QCOMPARE(unigram.vocabulary.size(), std::int64_t{6});
  QCOMPARE(unigram.scores[3], -7.25);
  QCOMPARE(unigram.unknown, std::uint32_t{0});
  QCOMPARE(unigram.unknownScore, -17.25);  // ten below the lowest
  QCOMPARE(unigram.byteTokens['\n'], std::uint32_t{5});
  QVERIFY(!unigram.byteTokens['a']);
  QVERIFY(!unigram.byteFallback);
  json["byte_fallback"] = true;
  json["unk_id"] = nullptr;
  unigram = Unigram::parse(json, "f");
  QVERIFY(unigram.byteFallback);
  QVERIFY(!unigram.unknown);
}

void tst_unigram::findsPiecesByTheirBytes() {
  const Unigram unigram = Unigram::parse(model(), "f");
  const auto find = [&](std::string_view bytes) {
    std::uint32_t node = Unigram::kRoot;
    for (const char byte : bytes) {
      const auto* next = unigram.children.find(Unigram::childKey(node, byte));
      if (!next) return Unigram::kNoPiece;
      node = *next;
    }
    return unigram.pieces[node];
  };
  QCOMPARE(find("a"), std::uint32_t{1});
  QCOMPARE(find("ab"), std::uint32_t{2});
  QCOMPARE(find("é"), std::uint32_t{3});
  QCOMPARE(find("\xC3"), Unigram::kNoPiece);
  QCOMPARE(find("b"), Unigram::kNoPiece);
  QCOMPARE(find(""), Unigram::kNoPiece);
}

void tst_unigram::refusesWhatCannotBe_data() {
  QTest::addColumn<QByteArray>("patch");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* patch, const char* part) {
    QTest::newRow(patch) << QByteArray(patch) << part;
  };
  row(R"({"vocab": {}})", "list");
  row(R"({"vocab": [["a"]]})", "[piece, score] at 0");
  row(R"({"vocab": [["a", 1], ["b", "c"]]})", "at 1");
  row(R"({"vocab": [[1, 2]]})", "at 0");
  row(R"({"vocab": [["a", 1], ["a", 2]]})", "\"a\"");
  row(R"({"vocab": []})", "unk_id");
  row(R"({"unk_id": 6})", "unk_id");
  row(R"({"unk_id": -1})", "unk_id");
  row(R"({"odd": 1})", "odd");
}

void tst_unigram::refusesWhatCannotBe() {
  QFETCH(QByteArray, patch);
  QFETCH(QString, part);
  Json json = model();
  json.update(Json::parse(patch.toStdString()));
  QVERIFY_ERROR(Unigram::parse(json, "f.json"), "f.json", part);
}

EQUIPATCH_TEST(tst_unigram)
#include "tst_unigram.moc"
