// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/piece_model.h"

#include <nlohmann/json.hpp>

#include "core/text/pipeline/bpe.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;

using test::ampleLimits;

class tst_piece_model : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void recognizesModelsByType();
  void recognizesModelsWithoutType();
  void refusesUnsupportedModelTypes();
  void findsIdsByPieceAndPiecesById();
  void vocabularyAllowsGapsInTheIds();
  void refusesInvalidIds();
  void refusesLongPieces();
  void piecesCannotBeChosenToCollide();
};

namespace {

std::string encoded(const PieceModel& model, const std::string& text) {
  const auto encoder = model.makeEncoder(ampleLimits());
  std::string result;
  for (const PieceToken& token : encoder->encode(text))
    result += (result.empty() ? "" : " ") + *model.vocabulary().piece(token.id);
  return result;
}

Json bpe() {
  return {{"vocab", {{"a", 0}, {"b", 1}, {"ab", 2}}}, {"merges", {"a b"}}};
}

Json unigram() {
  return Json::parse(R"({"vocab": [["a", 0], ["b", 0], ["ab", 1]], "unk_id": 0})");
}

/// A text of 16 bytes for each number; std::hash gives them all the same value, because
/// the second half undoes what the first did (MurmurHash64A with libstdc++'s seed).
std::string collidingPiece(std::uint64_t number) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995u;
  const auto shifted = [](std::uint64_t value) { return value ^ (value >> 47); };
  const std::uint64_t start = 0xc70f6907u ^ (16 * kFactor);
  const std::uint64_t state = (start ^ (shifted(number * kFactor) * kFactor)) * kFactor;
  const std::uint64_t back = equipatch::test::inverse(kFactor);
  const std::uint64_t halves[] = {number, shifted(state * back) * back};
  return {reinterpret_cast<const char*>(halves), sizeof halves};
}

}  // namespace

void tst_piece_model::recognizesModelsByType() {
  Json json = bpe();
  json["type"] = "BPE";
  QCOMPARE(encoded(*PieceModel::parse(&json, "f"), "aab"), std::string("a ab"));
  json = unigram();
  json["type"] = "Unigram";
  QCOMPARE(encoded(*PieceModel::parse(&json, "f"), "aab"), std::string("a ab"));
}

void tst_piece_model::recognizesModelsWithoutType() {
  const Json pairs = bpe();
  QCOMPARE(encoded(*PieceModel::parse(&pairs, "f"), "ab"), std::string("ab"));
  const Json scores = unigram();
  QCOMPARE(encoded(*PieceModel::parse(&scores, "f"), "ab"), std::string("ab"));
}

void tst_piece_model::refusesUnsupportedModelTypes() {
  QVERIFY_ERROR(PieceModel::parse(nullptr, "f: model"), "f: model", "missing");
  for (const char* type : {"WordPiece", "WordLevel"}) {
    Json json = bpe();
    json["type"] = type;
    QVERIFY_ERROR(PieceModel::parse(&json, "f: model"), "f: model", type,
                  "not supported");
  }
  const Json empty = Json::object();
  QVERIFY_ERROR(PieceModel::parse(&empty, "f: model"), "f: model", "type");
}

void tst_piece_model::findsIdsByPieceAndPiecesById() {
  Vocabulary vocabulary;
  vocabulary.add("b", 1, "f");
  vocabulary.add("a", 0, "f");
  vocabulary.add("a", 0, "f");  // repeating an entry has no effect
  QCOMPARE(vocabulary.find("b").value(), std::uint32_t{1});
  QVERIFY(!vocabulary.find("c"));
  QCOMPARE(*vocabulary.piece(0), std::string("a"));
  QCOMPARE(vocabulary.size(), std::int64_t{2});
  const Vocabulary moved = std::move(vocabulary);
  QCOMPARE(*moved.piece(1), std::string("b"));
}

void tst_piece_model::vocabularyAllowsGapsInTheIds() {
  Vocabulary vocabulary;
  vocabulary.add("x", 5, "f");
  QCOMPARE(vocabulary.size(), std::int64_t{6});
  QVERIFY(!vocabulary.piece(4));
  QVERIFY(!vocabulary.piece(6));
  QVERIFY(!vocabulary.piece(-1));
}

void tst_piece_model::refusesInvalidIds() {
  Vocabulary vocabulary;
  vocabulary.add("a", 0, "f");
  QVERIFY_ERROR(vocabulary.add("b", -1, "f: model"), "f: model", "\"b\"", "-1");
  QVERIFY_ERROR(vocabulary.add("b", 1'000'000'000'000, "f"), "1000000000000", "4194303");
  QVERIFY_ERROR(vocabulary.add("b", 0, "f"), "\"a\"", "\"b\"", "id 0");
  QVERIFY_ERROR(vocabulary.add("a", 2, "f"), "\"a\"", "0 and 2");
  QCOMPARE(vocabulary.size(), std::int64_t{1});
}

void tst_piece_model::refusesLongPieces() {
  Vocabulary vocabulary;
  vocabulary.add(std::string(8192, 'a'), 0, "f");
  QVERIFY_ERROR(vocabulary.add(std::string(8193, 'a'), 1, "f: model"), "f: model",
                "8193 bytes");
}

void tst_piece_model::piecesCannotBeChosenToCollide() {
  const std::hash<std::string> hash;
  QCOMPARE(hash(collidingPiece(1)), hash(collidingPiece(2)));
  constexpr int kPieces = 20'000;
  const auto seconds = [](const auto& pieceOf) {
    return equipatch::test::processorSeconds([&] {
      Vocabulary vocabulary;
      for (int id = 0; id < kPieces; ++id) vocabulary.add(pieceOf(id), id, "f");
      QCOMPARE(vocabulary.size(), std::int64_t{kPieces});
    });
  };
  const double ordinary =
      seconds([](int id) { return std::to_string(1'000'000'000'000'000 + id); });
  const double chosen =
      seconds([](int id) { return collidingPiece(static_cast<std::uint64_t>(id)); });
  QVERIFY2(chosen < 20 * ordinary,
           qPrintable(QString("%1 s instead of %2 s").arg(chosen).arg(ordinary)));
}

EQUIPATCH_TEST(tst_piece_model)
#include "tst_piece_model.moc"
